import { appendFileSync } from "node:fs";
import * as commandLine from "../halcyon";

/** Where the client looks for a `fetch` in place of its own (lib/base/node-fetch.ts). */
const AT = Symbol.for("halcyon.fetch");

/**
 * Runs commands in this process, one at a time, and appends every response that they get to the file in the caller's
 * `RECORD_ANSWERS`, for the search. Except the offer of a seller's 402, which contains the seller's own price.
 */
async function recorded<T>({ env }: commandLine.Caller, run: () => Promise<T>): Promise<T> {
  const file = env?.RECORD_ANSWERS;
  if (!file) throw new Error("a command whose responses are not recorded is not searched");
  const record: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const body = await response.clone().text();
    const offers = (name: string) => response.status === 402 && name === "payment-required";
    const headers = JSON.stringify([...response.headers].filter(([name]) => !offers(name)));
    appendFileSync(file, `${response.status} ${response.url}\n${headers}\n${body}\n`);
    return response;
  };
  Object.assign(globalThis, { [AT]: record });
  try {
    return await run();
  } finally {
    Reflect.deleteProperty(globalThis, AT);
  }
}

/** As `halcyon` of e2e/halcyon.ts, recorded. */
export const halcyon: typeof commandLine.halcyon = (caller, ...args) =>
  recorded(caller, () => commandLine.halcyon(caller, ...args));

/** As `ok` of e2e/halcyon.ts, recorded. */
export const ok: typeof commandLine.ok = (caller, ...args) => recorded(caller, () => commandLine.ok(caller, ...args));
