/*
 * Makes and checks proofs for all processes of a test run:
 *   node scripts/run.mjs test/services/prover-process.ts SOCKET
 * Prints a line once it listens, and ends with its standard input.
 */
import { createServer } from "node:net";
import { createServerProver } from "@/lib/prover/create-server-prover";
import type { ProverJob, ProverReply } from "@/lib/prover/prover";
import { framesOf, toFrame } from "./frames";

const [socket = ""] = process.argv.slice(2);
/** More than all processes of a run ask for at once: each keeps a queue of its own. */
const QUEUE_LIMIT = 10_000;
// One thread is idle for most of a run, and a second would load its own circuits. All tables pay in a run.
const prover = await createServerProver({ workers: 1, queueLimit: QUEUE_LIMIT, tablesAfter: 2 });

async function run(job: ProverJob, reply: (reply: ProverReply) => void): Promise<void> {
  const { id, circuit } = job;
  if (job.kind === "verify") {
    return reply({ id, verified: await prover.verify(circuit, job.proof, job.publicSignals) });
  }
  if (!job.check) return reply({ id, proven: await prover.prove(circuit, job.input) });
  const { verified, ...proven } = await prover.proveAndVerify(circuit, job.input);
  reply({ id, proven });
  reply({ id, verified: await verified });
}

type Failure = Extract<ProverReply, { error: unknown }>["error"];

const server = createServer((connection) => {
  // A test's process ended.
  connection.on("error", () => {});
  const send = (reply: ProverReply) => void connection.write(toFrame(reply));
  framesOf<ProverJob>(connection, (job) => {
    run(job, send).catch((error: Error) => send({ id: job.id, error: error.name as Failure }));
  });
});
server.listen(socket, () => console.log("listening"));
process.stdin.once("end", () => process.exit(0)).resume();
