/*
 * npm run test:upgrade                     deploys this version beside the released one while people pay
 * npm run test:upgrade -- --from COMMIT    beside another one of this repository's history
 * npm run test:upgrade -- --record         and appends the figures to docs/figures.md
 *
 * Each version is built from its own sources and started by its own commands, with the variables that docs/guides/
 * self-hosting.md names, over one PostgreSQL and behind one load balancer that asks /readyz.
 */
import { checkLoad } from "./kill/check-load";
import { Load } from "./kill/load";
import { OUTSIDE_SERVICES, OWN_SECRETS } from "./stack/outside-services";
import { checkAcross, useBefore } from "./upgrade/across-versions";
import { Deployment } from "./upgrade/deployment";
import { appendFigures, table, type UpgradeFigures } from "./upgrade/record";
import { releaseOf, thisRelease } from "./upgrade/release";

/** The version before the newest migrations. Name the next release here once it is out. */
const RELEASED = "47757a59";
/** How many payments must get a response in each phase. */
const PAYMENTS = 12;

const args = process.argv.slice(2);
const from = args.includes("--from") ? (args[args.indexOf("--from") + 1] ?? "") : RELEASED;
// Never use the user's own services.
for (const name of ["HALCYON_URL", ...OUTSIDE_SERVICES, ...OWN_SECRETS]) delete process.env[name];

const started = performance.now();
const seconds = () => (performance.now() - started) / 1_000;
const say = (line: string) => console.log(`${seconds().toFixed(1).padStart(6)} s  ${line}`);
const old = releaseOf(from, say);
const fresh = thisRelease(say);
const figures: UpgradeFigures = { from: old.commit, to: fresh.commit, phases: [], payments: 0, failures: 0, wrong: [] };

const deployment = await Deployment.start(say);
let load: Load | undefined;
/** Runs a phase, and counts the payments that got a response during it. */
async function phase<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [from, before] = [seconds(), load?.answered ?? 0];
  const result = await work();
  await load?.progress(PAYMENTS);
  const one = { name, seconds: seconds() - from, payments: (load?.answered ?? 0) - before };
  figures.phases.push(one);
  say(`${name}: ${one.seconds.toFixed(1)} s, ${one.payments} payments`);
  return result;
}

try {
  await deployment.migrate(old);
  const [oldWeb, oldWorker] = [await deployment.add(old, "web"), await deployment.add(old, "worker")];
  load = await Load.start(deployment.url, say);
  const { receiver } = load;
  const before = await phase("old version alone", () => useBefore(deployment.url, oldWeb, receiver.url("/before")));
  await phase("migrations of the new one, old version serves", () => deployment.migrate(fresh));
  const [newWeb, newWorker] = await phase("new processes start beside the old ones", async () => {
    return [await deployment.add(fresh, "web"), await deployment.add(fresh, "worker")];
  });
  const sides = { old: oldWeb, fresh: newWeb };
  const across = await phase("both serve", () => checkAcross(deployment, sides, before, receiver));
  figures.wrong.push(...across);
  before.page.close();
  const ends = await phase("old processes drain and stop", () => Promise.all([oldWorker.drain(), oldWeb.drain()]));
  if (ends.some((end) => end !== 0)) figures.wrong.push(`the old worker and web ended with ${ends.join(" and ")}`);
  // As after a fault in the new version: does what `kubectl rollout undo` does.
  const [backWeb] = await phase("rolled back: the old version starts again, the new one stops", async () => {
    const back = [await deployment.add(old, "web"), await deployment.add(old, "worker")];
    const gone = await Promise.all([newWorker, newWeb].map((member) => member?.drain()));
    if (gone.some((end) => end !== 0)) figures.wrong.push(`the new worker and web ended with ${gone.join(" and ")}`);
    return back;
  });
  await load.stop();
  say(`${load.payments.length} payments asked for; waiting until they are settled`);
  figures.wrong.push(...(await checkLoad(load)));
  if (!backWeb) figures.wrong.push("no process is left");
} catch (error) {
  figures.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  figures.payments = load?.payments.length ?? 0;
  figures.failures = load?.failures.length ?? 0;
  await deployment.stop();
  await load?.receiver.stop();
}
console.log(`\n${table(figures)}`);
for (const line of figures.wrong) console.error(line);
if (args.includes("--record")) appendFigures(figures);
process.exit(figures.wrong.length > 0 ? 1 : 0);
