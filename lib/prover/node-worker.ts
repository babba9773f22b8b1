import { parentPort, workerData } from "node:worker_threads";
import type { CircuitName } from "@/lib/ledger/prepare/witness";
import { artifactFiles } from "./artifact-files";
import type { ProverJob } from "./prover";
import { ProverEngine, repliesOf } from "./prover-engine";

/**
 * After how many transfer proofs the key gets tables; multiplied by `PAYS_AFTER` for other circuits. 0: before the
 * first.
 */
export interface TablesWhen {
  after: number;
}

/**
 * How many proofs pay for a circuit's tables, relative to the transfer circuit. Tables also take up to 50 MB of memory
 * per thread (bench/README.md); circuits not listed save too little for that.
 */
const PAYS_AFTER: Partial<Record<CircuitName, number>> = {
  transfer: 1,
  release: 1.5,
  fund: 2,
  spend: 3,
  "spend-public": 3,
  "make-available": 4,
  "pay-many": 6,
};

/** A thread with no job for this long is idle and has time to build tables. */
const IDLE_MS = 100;
/** A thread that is never idle builds the tables after this many times as many proofs. */
const PATIENCE = 2;

const { root, tables } = workerData as { root: string; tables: TablesWhen };

const engine = ProverEngine.build(artifactFiles(root));
// One job at a time, because the engine has a single memory.
let last: Promise<unknown> = engine.catch(() => {});
let idle: NodeJS.Timeout | undefined;
const proofs = new Map<CircuitName, number>();
const withTables = new Set<CircuitName>();

function makeTables(circuit: CircuitName): void {
  withTables.add(circuit);
  last = last.then(async () => (await engine).addTables(circuit));
}

const due = (ofTransfers: number) =>
  [...proofs]
    .filter(([circuit, count]) => !withTables.has(circuit) && count >= ofTransfers * (PAYS_AFTER[circuit] ?? Infinity))
    .map(([circuit]) => circuit);

function beforeJob({ kind, circuit }: ProverJob): void {
  clearTimeout(idle);
  if (kind !== "prove") return;
  if (tables.after === 0 && !withTables.has(circuit)) makeTables(circuit);
  proofs.set(circuit, (proofs.get(circuit) ?? 0) + 1);
}

function afterJob(): void {
  clearTimeout(idle);
  for (const circuit of due(PATIENCE * tables.after)) makeTables(circuit);
  // Only one circuit's tables at a time, so that a new job waits no longer than that.
  const [next] = due(tables.after);
  if (!next) return;
  idle = setTimeout(() => {
    makeTables(next);
    last = last.then(afterJob);
  }, IDLE_MS);
}

parentPort?.on("message", (job: ProverJob) => {
  beforeJob(job);
  last = last.then(async () => {
    for await (const reply of repliesOf(engine, job)) parentPort?.postMessage(reply);
    afterJob();
  });
});
