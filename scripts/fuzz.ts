/*
 * Sends requests that clients should not send: every operation of the OpenAPI document and of /api, by all senders.
 *   npm run fuzz                                   a minute against a stack of its own
 *   npm run fuzz -- --minutes 60                   longer, with the figures added to docs/figures.md
 *   npm run fuzz -- --seed 7 --request 1234        repeat this one request
 *   npm run fuzz -- --url http://localhost:3000    against a running service, within its rate limits
 *   npm run fuzz -- --seed 1 --requests 900 --json print the result as JSON, no figures
 * Exits with 1 if a response was wrong.
 */
import { parseArgs } from "node:util";
import { recordFigures } from "./fuzz/figures";
import { type FuzzResult, fuzz } from "./fuzz/run";
import { withProduct } from "./test/product";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    requests: { type: "string" },
    seed: { type: "string" },
    request: { type: "string" },
    url: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const minutes = Number(values.minutes);
if (!Number.isSafeInteger(seed) || !(minutes > 0)) {
  console.error("usage: npm run fuzz -- [--minutes N] [--seed N] [--requests N | --request N] [--url URL] [--json]");
  process.exit(2);
}

function run(url: string): Promise<FuzzResult> {
  if (values.request !== undefined) return fuzz({ url, seed, first: Number(values.request), requests: 1 });
  if (values.requests !== undefined) return fuzz({ url, seed, requests: Number(values.requests) });
  return fuzz({ url, seed, until: Date.now() + minutes * 60_000 });
}

const result = values.url ? await run(values.url) : await withProduct(({ HALCYON_URL = "" }) => run(HALCYON_URL));
if (values.json) console.log(JSON.stringify(result));
else {
  for (const { index, request, faults } of result.faults) {
    console.log(`--seed ${seed} --request ${index}: ${faults.join("; ")}\n  ${request}`);
  }
  console.log(
    `seed ${seed}: ${result.requests} requests to ${result.operations} operations, ${result.faults.length} wrong`,
  );
  console.log(JSON.stringify(result.statuses));
  if (values.request === undefined) recordFigures({ seed, minutes, ...result });
}
process.exit(result.faults.length > 0 ? 1 : 0);
