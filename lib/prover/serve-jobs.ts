import type { ArtifactSource, ProverJob, ProverReply } from "./prover";
import { ProverEngine, repliesOf } from "./prover-engine";

/** What a dedicated worker's global scope offers; the DOM's types describe a window's. */
interface WorkerScope {
  postMessage(reply: ProverReply): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ProverJob>) => void): void;
}

/** Makes the worker it is called in do a pool's jobs. */
export function serveJobs(artifacts: ArtifactSource): void {
  const scope = globalThis as unknown as WorkerScope;
  const engine = ProverEngine.build(artifacts);
  // One job at a time: the engine's memory is one.
  let last: Promise<unknown> = engine.catch(() => {});
  scope.addEventListener("message", ({ data: job }) => {
    last = last.then(async () => {
      for await (const reply of repliesOf(engine, job)) scope.postMessage(reply);
    });
  });
}
