/*
 * npm run kill                          kills (kill -9) and freezes each process of the product once while people pay,
 *                                       and kills the proxies by which one of them pays with a blind key
 * npm run kill -- --rounds 10           does so ten times
 * npm run kill -- --rounds 10 --record  also appends the figures to docs/figures.md
 */
import path from "node:path";
import { checkLoad } from "./kill/check-load";
import { Load } from "./kill/load";
import { KillableProduct, PARTS, type Part } from "./kill/product";
import { appendFigures, table } from "./kill/record";
import { seeLoad } from "./kill/see-load";
import { sleep } from "./stack/processes";
import { reportWrong } from "./test/checked-run";

/** How many payments must get a response between two kills, so that each kill hits a product under load. */
const PAYMENTS_BETWEEN = 3;
/** Longer than a heartbeat or a look at /status takes. */
const FROZEN_SECONDS = 3;

const args = process.argv.slice(2);
const rounds = args.includes("--rounds") ? Number(args[args.indexOf("--rounds") + 1]) : 1;
if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) {
  console.error("--rounds wants a number from 1 to 100.");
  process.exit(1);
}

const started = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);
const recoveries = new Map<Part | "proxy", number[]>([...PARTS, "proxy" as const].map((part) => [part, []]));
const product = await KillableProduct.start({ data: ".halcyon-kill", say }).catch((error: unknown) => {
  reportWrong([error instanceof Error ? (error.stack ?? error.message) : String(error)]);
  process.exit(1);
});
let wrong: string[];
let load: Load | undefined;
try {
  load = await Load.start(product.url, path.join(product.data, "clients"), say);
  for (let round = 1; round <= rounds; round++) {
    for (const part of PARTS) {
      await load.progress(PAYMENTS_BETWEEN);
      const killed = performance.now();
      await product.kill(part);
      await product.whole();
      const seconds = (performance.now() - killed) / 1000;
      recoveries.get(part)?.push(seconds);
      say(
        `round ${round}: ${part} killed, whole again after ${seconds.toFixed(1)} s, ${load.answered} payments answered`,
      );
      await product.freeze(part, FROZEN_SECONDS);
      await product.whole();
    }
    for (const [n] of load.proxies.urls.entries()) {
      await load.progress(PAYMENTS_BETWEEN);
      const killed = performance.now();
      await load.proxies.kill(n);
      recoveries.get("proxy")?.push((performance.now() - killed) / 1000);
    }
  }
  await load.progress(PAYMENTS_BETWEEN);
  await load.stop();
  say(`${load.payments.length} payments asked for; waiting until they are settled`);
  wrong = checkLoad(await seeLoad(load));
} catch (error) {
  wrong = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  await Promise.race([load?.stop(), sleep(35_000)]);
} finally {
  await load?.end();
  await product.stop();
}
const seconds = Math.round((performance.now() - started) / 1000);
const figures = { rounds, seconds, payments: load?.payments.length ?? 0, recoveries, wrong };
console.log(`\n${table(figures)}`);
reportWrong(wrong);
if (args.includes("--record")) appendFigures(figures);
process.exit(wrong.length > 0 ? 1 : 0);
