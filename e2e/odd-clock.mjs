// Preloaded (NODE_OPTIONS=--import) into a server process under test. The file ODD_CLOCK_FILE contains JSON and can
// change at any time. It says by how many milliseconds the clock is ahead (`ahead`), by how many more that of single
// processes is (`odd`, by pid), and whether transactions that the process sends to a chain are held back for now (`hold`).
import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";

const file = process.env.ODD_CLOCK_FILE;
let state = { ahead: 0, hold: false };

function read() {
  try {
    state = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // The file is being replaced: its previous content still counts.
  }
}

let readAt = 0;
/** Returns how far ahead the clock is: what the file says, at most 20 ms old, however busy the process is. */
function ahead() {
  const now = performance.now();
  if (now - readAt > 20) {
    readAt = now;
    read();
  }
  return state.ahead + (state.odd?.[process.pid] ?? 0);
}

read();
setInterval(read, 20).unref();

const TrueDate = globalThis.Date;
class OddDate extends TrueDate {
  constructor(...args) {
    if (args.length === 0) super(TrueDate.now() + ahead());
    else super(...args);
  }

  // An own property, because code that wraps Date again copies no inherited ones.
  static UTC = TrueDate.UTC;
  static parse = TrueDate.parse;

  static now() {
    return TrueDate.now() + ahead();
  }

  static [Symbol.hasInstance](value) {
    return value instanceof TrueDate;
  }
}
Object.defineProperty(OddDate, "name", { value: "Date" });
globalThis.Date = OddDate;

// Node writes this header by a clock of its own, and clients go by it.
subscribe("http.server.request.start", ({ response }) => response.setHeader("date", new Date().toUTCString()));

// Where the product looks for a `fetch` in place of its own (lib/base/machine-fetch.ts).
const FETCH = Symbol.for("halcyon.fetch");
const trueFetch = globalThis[FETCH] ?? globalThis.fetch;
globalThis[FETCH] = async (input, init) => {
  if (!String(init?.body).includes("eth_sendRawTransaction") || !state.hold) return trueFetch(input, init);
  while (state.hold) await new Promise((resolve) => setTimeout(resolve, 20));
  // The sender may have given up, but the transaction must arrive.
  return trueFetch(input, { ...init, signal: undefined });
};
