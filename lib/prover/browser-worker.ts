import { ProverEngine } from "./engine";
import type { ProverAnswer, ProverJob } from "./prover";

/** What a dedicated worker's global scope offers; the DOM's types describe a window's. */
interface WorkerScope {
  postMessage(answer: ProverAnswer): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ProverJob>) => void): void;
}
const scope = globalThis as unknown as WorkerScope;

const engine = ProverEngine.build({
  // Revalidated each time: a key of an earlier release proves nothing to today's contracts.
  read: async (file) => {
    const response = await fetch(`/circuits/${file}`, { cache: "no-cache", credentials: "omit" });
    if (!response.ok) throw new Error("a circuit could not be loaded");
    return new Uint8Array(await response.arrayBuffer());
  },
});
// One job at a time: the engine's memory is one.
let last: Promise<unknown> = engine;

scope.addEventListener("message", ({ data: job }) => {
  last = last.then(async () => scope.postMessage(await (await engine).answer(job)));
});
