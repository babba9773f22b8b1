/*
 * npm run bench            all
 * npm run bench -- gas     one: prover, policy, gas, payouts, webhooks, deliveries, growth, vouchers, start, payments,
 *                          http402, reads, pages, page-loads, unlock, slow-line, blind-keys, fairness,
 *                          load
 * npm run bench -- --json  one JSON document on stdout
 */
import { spawnSync } from "node:child_process";
import { OUTSIDE_SERVICES, OWN_SECRETS } from "@/scripts/stack/outside-services";
import { load } from "./measure";

const withProduct = {
  payments: () => import("./payments"),
  http402: () => import("./http402"),
  reads: () => import("./reads"),
  pages: () => import("./pages"),
  "page-loads": () => import("./page-loads"),
  unlock: () => import("./unlock"),
  "slow-line": () => import("./slow-line"),
  "blind-keys": () => import("./blind-keys"),
  fairness: () => import("./fairness"),
  load: () => import("./load"),
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
const NAMES = [alone, withProduct].flatMap((part) => Object.keys(part));

const args = process.argv.slice(2);
const json = args.includes("--json");
const chosen = args.filter((arg) => !arg.startsWith("--"));
const unknown = chosen.find((name) => !NAMES.includes(name));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". There are: ${NAMES.join(", ")}.`);
  process.exit(1);
}
// Remove a person's own services from the environment: they must be neither measured nor written to.
for (const name of [...OUTSIDE_SERVICES, ...OWN_SECRETS]) delete process.env[name];
const [only, ...more] = chosen;
process.exit(only !== undefined && more.length === 0 ? await measureOne(only) : measureEach());

/** Runs one part in this process. */
async function measureOne(name: string): Promise<number> {
  console.error(`bench ${name}, load ${load().join(" ")}`);
  try {
    const result = await run(name);
    if (json) console.log(JSON.stringify({ [name]: result, load: load() }));
    else console.log(`${name}\n${JSON.stringify(result, null, 2)}\n\nload ${load().join(" ")}`);
    return hasFaults(result) ? 1 : 0;
  } catch (error) {
    console.error(error);
    return 1;
  }
}

/** Reports whether a part has found something that it must not find. */
function hasFaults(result: unknown): boolean {
  return Object.keys((result as { faults?: Record<string, string> }).faults ?? {}).length > 0;
}

async function run(name: string): Promise<unknown> {
  if (name in alone) return (await alone[name as keyof typeof alone]()).run();
  // Only spans of payments are measured. Requests without a `traceparent` are not traced.
  const { startProduct } = await import("./start-product");
  const product = await startProduct((line) => console.error(line), { traced: name === "payments" });
  try {
    return await (await withProduct[name as keyof typeof withProduct]()).run(product);
  } finally {
    await product.stop();
  }
}

/** Runs parts one after the other, each in its own process, so that none inherits another's connections or heap. */
function measureEach(): number {
  let results: Record<string, unknown> = {};
  let failed = 0;
  for (const name of NAMES.filter((each) => chosen.length === 0 || chosen.includes(each))) {
    const command = ["scripts/run.mjs", "bench/main.ts", name, ...(json ? ["--json"] : [])];
    const { status, stdout } = spawnSync(process.execPath, command, {
      stdio: ["ignore", json ? "pipe" : "inherit", "inherit"],
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    if (status !== 0) failed = 1;
    // A part that measured something it must not find has its figures all the same.
    if (json && stdout) results = { ...results, ...(JSON.parse(stdout) as object) };
  }
  if (json) console.log(JSON.stringify({ ...results, load: load() }));
  return failed;
}
