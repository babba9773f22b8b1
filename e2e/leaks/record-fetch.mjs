// Loaded into the command line with --import. Records every response for the search, except the offer of a seller's
// 402, which contains the seller's own price.
import { appendFileSync } from "node:fs";

const file = process.env.RECORD_ANSWERS;
const { fetch } = globalThis;
if (file) {
  // Where the product looks for a `fetch` in place of its own (lib/base/machine-fetch.ts).
  globalThis[Symbol.for("halcyon.fetch")] = async (...args) => {
    const response = await fetch(...args);
    const body = await response.clone().text();
    const offers = (name) => response.status === 402 && name === "payment-required";
    const headers = JSON.stringify([...response.headers].filter(([name]) => !offers(name)));
    appendFileSync(file, `${response.status} ${response.url}\n${headers}\n${body}\n`);
    return response;
  };
}
