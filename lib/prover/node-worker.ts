import { parentPort, workerData } from "node:worker_threads";
import type { CircuitName } from "@/lib/ledger/prepare/witness";
import { artifactFiles } from "./artifact-files";
import type { ProverJob } from "./prover";
import { ProverEngine } from "./prover-engine";

/** The circuit that gets tables, and after how many proofs of it; 0: before the first job. */
export interface TablesWhen {
  circuit: CircuitName;
  after: number;
}

/** A thread without a job for so long is idle, and has the time for tables. */
const IDLE_MS = 100;
/** One that never is makes them all the same, after this many times as many proofs. */
const PATIENCE = 2;

const { root, tables } = workerData as { root: string; tables: TablesWhen };

const engine = ProverEngine.build(artifactFiles(root));
// One job at a time: the engine's memory is one.
let last: Promise<unknown> = engine;
let idle: NodeJS.Timeout | undefined;
let proofs = 0;
let tablesRequested = false;

function makeTables(): void {
  tablesRequested = true;
  last = last.then(async () => (await engine).addTables(tables.circuit));
}

function afterJob({ kind, circuit }: ProverJob): void {
  if (kind === "prove" && circuit === tables.circuit) proofs++;
  clearTimeout(idle);
  if (tablesRequested || proofs < tables.after) return;
  if (proofs >= PATIENCE * tables.after) makeTables();
  else idle = setTimeout(makeTables, IDLE_MS);
}

if (tables.after === 0) makeTables();
parentPort?.on("message", (job: ProverJob) => {
  clearTimeout(idle);
  last = last.then(async () => {
    parentPort?.postMessage(await (await engine).reply(job));
    afterJob(job);
  });
});
