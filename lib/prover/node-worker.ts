import { parentPort, workerData } from "node:worker_threads";
import type { CircuitName } from "@/lib/ledger/witness";
import { artifactFiles } from "./artifact-files";
import { ProverEngine } from "./engine";
import type { ProverJob } from "./prover";

const { root, warm } = workerData as { root: string; warm: CircuitName[] };

const engine = ProverEngine.build(artifactFiles(root)).then(async (built) => {
  for (const circuit of warm) await built.warm(circuit);
  return built;
});
// One job at a time: the engine's memory is one.
let last: Promise<unknown> = engine;

parentPort?.on("message", (job: ProverJob) => {
  last = last.then(async () => parentPort?.postMessage(await (await engine).answer(job)));
});
