import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";
import { currentAccount } from "@/lib/base/current-account";
import type { CheckingProver, ProverReply } from "@/lib/prover/prover";
import { type StartThread, WorkerPool } from "@/lib/prover/worker-pool";
import { framesOf, toFrame } from "./frames";

/** Names the socket of the run's prover. */
const VARIABLE = "HALCYON_TEST_PROVER";

/**
 * Vitest's global set-up: one process that makes and checks the proofs of all others, because each would spend most of a
 * second on the circuits before its first proof, and none makes enough proofs to prepare tables. Only where many files
 * run.
 */
export default async function runProver(): Promise<(() => Promise<void>) | undefined> {
  if (!process.env.HALCYON_TEST_MANY_FILES || process.env[VARIABLE]) return undefined;
  const socket = path.join(process.env.HALCYON_TEST_PREPARED ?? "", "prover.sock");
  const script = "test/services/prover-process.ts";
  // It ends with its standard input, so that it never outlives an interrupted run.
  const child = spawn(process.execPath, ["scripts/run.mjs", script, socket], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  await Promise.race([once(child.stdout, "data"), ended.then(() => Promise.reject(new Error(`${script} ended`)))]);
  process.env[VARIABLE] = socket;
  return async () => {
    child.stdin.end();
    await ended;
  };
}

/** A thread of a pool that is in the run's prover. */
const startRemote =
  (file: string): StartThread =>
  (onReply, onDeath) => {
    const socket = connect(file);
    framesOf<ProverReply>(socket, onReply);
    // `close` follows.
    socket.on("error", () => {});
    socket.once("close", onDeath);
    return { post: (job) => socket.write(toFrame(job)), terminate: () => socket.destroy() };
  };

/** Its methods need no `this`, as those of the product's own: a test takes one of them and puts another in its place. */
function remoteProver(socket: string): CheckingProver {
  const pool = new WorkerPool(startRemote(socket), 1, 64, undefined, currentAccount);
  return {
    prove: (circuit, input) => pool.prove(circuit, input),
    proveAndVerify: (circuit, input) => pool.proveAndVerify(circuit, input),
    verify: (circuit, proof, signals) => pool.verify(circuit, proof, signals),
    close: () => pool.close(),
  };
}

/** Has this process prove by the run's prover, if there is one. The queue of its jobs stays in this process. */
export function takeRunProver(): void {
  const socket = process.env[VARIABLE];
  if (!socket) return;
  const shared = globalThis as typeof globalThis & { halcyonProver?: Promise<CheckingProver> };
  shared.halcyonProver ??= Promise.resolve(remoteProver(socket));
}
