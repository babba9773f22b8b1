// Preloaded (NODE_OPTIONS=--import) into a server process under test. ODD_CLOCK_FILE says, in JSON and at any time
// again, by how many milliseconds its clock is ahead (`ahead`), and whether transactions it sends to a chain stay on
// the way until further notice (`hold`).
import { readFileSync } from "node:fs";

const file = process.env.ODD_CLOCK_FILE;
let state = { ahead: 0, hold: false };

function read() {
  try {
    state = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Being replaced: what it said before still holds.
  }
}

let readAt = 0;
/** How far ahead the clock is now: what the file says, at most 20 ms later, however busy the process is. */
function ahead() {
  const now = performance.now();
  if (now - readAt > 20) {
    readAt = now;
    read();
  }
  return state.ahead;
}

read();
setInterval(read, 20).unref();

const TrueDate = globalThis.Date;
class OddDate extends TrueDate {
  constructor(...args) {
    if (args.length === 0) super(TrueDate.now() + ahead());
    else super(...args);
  }

  // Of its own: anyone who wraps Date again copies no inherited ones.
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

const trueFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  if (!String(init?.body).includes("eth_sendRawTransaction") || !state.hold) return trueFetch(input, init);
  while (state.hold) await new Promise((resolve) => setTimeout(resolve, 20));
  // Anyone who sent it may have lost patience; it arrives all the same.
  return trueFetch(input, { ...init, signal: undefined });
};
