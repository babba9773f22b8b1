import type { ArtifactSource, ProverJob, ProverReply } from "./prover";
import { ProverEngine, repliesOf } from "./prover-engine";

/** The global scope of a dedicated worker. The DOM's types describe a window's. */
interface WorkerScope {
  postMessage(reply: ProverReply): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ProverJob>) => void): void;
}

/** Makes the calling worker process a pool's jobs. */
export function serveJobs(artifacts: ArtifactSource): void {
  const scope = globalThis as unknown as WorkerScope;
  const engine = ProverEngine.build(artifacts);
  // One job at a time, because the engine has a single memory.
  let last: Promise<unknown> = engine.catch(() => {});
  scope.addEventListener("message", ({ data: job }) => {
    last = last.then(async () => {
      for await (const reply of repliesOf(engine, job)) scope.postMessage(reply);
    });
  });
}
