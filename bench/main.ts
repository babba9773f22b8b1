/*
 * npm run bench            all
 * npm run bench -- gas     one: prover, policy, gas, payouts, webhooks, deliveries, growth, vouchers, start, payments,
 *                          http402, reads, fairness
 * npm run bench -- --json  one JSON document on stdout
 */
import { load } from "./measure";
import type { Product } from "./product";

const needsTraces = { payments: () => import("./payments") };
const needsProduct = {
  http402: () => import("./http402"),
  reads: () => import("./reads"),
  unlock: () => import("./unlock"),
  fairness: () => import("./fairness"),
};
const alone = {
  prover: () => import("./prover"),
  policy: () => import("./policy"),
  gas: () => import("./gas"),
  payouts: () => import("./payouts"),
  webhooks: () => import("./webhooks"),
  deliveries: () => import("./deliveries"),
  growth: () => import("./growth"),
  vouchers: () => import("./vouchers"),
  start: () => import("./start"),
};
const NAMES = [alone, needsTraces, needsProduct].flatMap((part) => Object.keys(part));

const args = process.argv.slice(2);
const json = args.includes("--json");
const chosen = args.filter((arg) => !arg.startsWith("--"));
const unknown = chosen.find((name) => !NAMES.includes(name));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". There are: ${NAMES.join(", ")}.`);
  process.exit(1);
}
const wanted = (name: string) => chosen.length === 0 || chosen.includes(name);
const say = (line: string) => console.error(line);

const results: Record<string, unknown> = {};
let product: Product | undefined;
let failed = false;

async function measure(name: string, run: () => Promise<unknown>): Promise<void> {
  say(`bench ${name}, load ${load().join(" ")}`);
  results[name] = await run();
  if (!json) console.log(`${name}\n${JSON.stringify(results[name], null, 2)}\n`);
}

try {
  for (const [name, open] of Object.entries(alone)) {
    if (wanted(name)) await measure(name, async () => (await open()).run());
  }
  for (const [name, open] of Object.entries(needsTraces)) {
    if (!wanted(name)) continue;
    const running = await (await import("./product")).startProduct(say, { traced: true });
    product = running;
    await measure(name, async () => (await open()).run(running));
    product = undefined;
    await running.stop();
  }
  for (const [name, open] of Object.entries(needsProduct)) {
    if (!wanted(name)) continue;
    product ??= await (await import("./product")).startProduct(say);
    const running = product;
    await measure(name, async () => (await open()).run(running));
  }
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  await product?.stop();
}
if (json) console.log(JSON.stringify({ ...results, load: load() }));
else console.log(`load ${load().join(" ")}`);
process.exit(failed ? 1 : 0);
