import { expect, test } from "vitest";
import { faultOf, type Measurement, takesLonger } from "./judge";
import { PlanLog, scannedWhole, shapeOf } from "./plans";

const SAME: Measurement = { ms: [1, 1], cpu: [0.2, 0.2], blocks: [40, 40], scanned: [] };

test.each<[string, Partial<Measurement>, string | null]>([
  ["the same", {}, null],
  ["a level deeper in each tree", { blocks: [40, 120], cpu: [0.05, 0.069], ms: [0.5, 0.9] }, null],
  ["more blocks, though nothing takes longer", { blocks: [100, 13_200] }, "reads more blocks"],
  ["more CPU and time", { cpu: [0.2, 0.3], ms: [1, 1.3] }, "takes more CPU and time"],
  ["more time alone, which other load takes too", { ms: [1, 9] }, null],
  ["more CPU alone, in which no one waits", { cpu: [0.2, 0.3] }, null],
  ["more time where CPU is not known", { cpu: [Number.NaN, Number.NaN], ms: [1, 9] }, "takes more CPU and time"],
  ["a whole table", { scanned: ["transfers"] }, "reads transfers from end to end"],
])("%s", (_, change, fault) => {
  expect(faultOf("a page", { ...SAME, ...change })).toBe(fault);
});

test("a list of a thousand entries may take a level more for each, and no rows more", () => {
  expect(faultOf("API keys", { ...SAME, blocks: [2_110, 3_130] })).toBeNull();
  expect(faultOf("a page", { ...SAME, blocks: [2_110, 3_130] })).toBe("reads more blocks");
  expect(faultOf("API keys", { ...SAME, blocks: [2_110, 9_000] })).toBe("reads more blocks");
});

test("more rounds are made while time and CPU are above the goal", () => {
  expect(takesLonger({ ms: [1, 1.3], cpu: [0.2, 0.3] })).toBe(true);
  expect(takesLonger(SAME)).toBe(false);
});

const LOG = `halcyon_app@growth_1 LOG:  duration: 0.042 ms  plan:
\t{
\t  "Query Text": "select 1 -- plan:",
\t  "Plan": {"Node Type": "Limit", "Total Cost": 1, "Plans": [
\t    {"Node Type": "Index Scan", "Index Name": "events_start_root_id_chain_id_idx", "Relation Name": "events_2026_11"},
\t    {"Node Type": "Seq Scan", "Relation Name": "relayers"}]}
\t}
halcyon_app@growth_2 LOG:  duration: 0.042 ms  plan:
\t{"Plan": {"Node Type": "Result"}}
halcyon@growth_2 LOG:  duration: 0.042 ms  plan:
\t{"Plan": {"Node Type": "Limit"}}
@ LOG:  received SIGHUP
`;

test("plans are read from the log, by database and without costs and months", () => {
  const log = new PlanLog();
  log.receive(LOG.slice(0, 100));
  log.receive(LOG.slice(100));
  const [plan, ...more] = log.plansOf("growth_1");
  if (!plan) throw new Error("a plan was logged");
  expect(more).toEqual([]);
  expect(shapeOf(plan)).toBe("Limit (Index Scan events_root_id_chain_id_idx, Seq Scan relayers)");
  expect(scannedWhole(plan)).toEqual(["relayers"]);
  expect(log.plansOf("growth_2").map(shapeOf)).toEqual(["Result"]);
});
