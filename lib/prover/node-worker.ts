import { parentPort, workerData } from "node:worker_threads";
import type { CircuitName } from "@/lib/ledger/prepare/witness";
import { artifactFiles } from "./artifact-files";
import type { ProverJob } from "./prover";
import { ProverEngine, repliesOf } from "./prover-engine";

/** After how many proofs of a transfer its key gets tables (of others: `PAYS_AFTER`); 0: before the first. */
export interface TablesWhen {
  after: number;
}

/**
 * Proofs until a circuit's tables have paid for themselves, over those of a transfer. They cost memory too, up to 50 MB
 * for each thread (bench/README.md). Circuits that are not named save too little for that.
 */
const PAYS_AFTER: Partial<Record<CircuitName, number>> = {
  transfer: 1,
  release: 1.5,
  fund: 2,
  spend: 3,
  "spend-public": 3,
  allocate: 4,
  "pay-many": 6,
};

/** A thread without a job for so long is idle, and has the time for tables. */
const IDLE_MS = 100;
/** One that never is makes them all the same, after this many times as many proofs. */
const PATIENCE = 2;

const { root, tables } = workerData as { root: string; tables: TablesWhen };

const engine = ProverEngine.build(artifactFiles(root));
// One job at a time: the engine's memory is one.
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
  // One at a time: a job that comes meanwhile waits for no more than that.
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
