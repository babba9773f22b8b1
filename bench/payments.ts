import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createServerProver } from "@/lib/prover/create-server-prover";
import { transferPlan } from "@/test/prover/transfer-plan";
import { startBareServer } from "./bare";
import { closedLoop, type Measured, median, round } from "./measure";
import type { Product } from "./product";

const ACCOUNTS = 16;
/** Payments of one account at once. */
const BURST = 64;
/** Payments one after the other. */
const SINGLE = 40;

/**
 * `POST /v1/transfers` against the bare proof of the same circuit, in the same run: one account after the other call,
 * then 16 accounts at once, and 64 payments of one account at once, while chain, worker and database share the machine.
 * What one costs besides its proof, against a bare handler with the same statements.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const payers = await product.payers(ACCOUNTS + 1);
  const recipient = "@demo";
  const post = async (worker: number, headers: Record<string, string> = {}) => {
    const payer = payers[worker];
    if (!payer) throw new Error("more callers than accounts");
    const response = await fetch(`${product.url}/v1/transfers`, {
      method: "POST",
      headers: { authorization: `Bearer ${payer.apiKey}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ to: recipient, amount: "1.25" }),
    });
    const reply = await response.text();
    if (response.status !== 201) throw new Error(`POST /v1/transfers answered ${response.status}: ${reply}`);
  };

  const prover = await createServerProver({ tablesAfter: 0 });
  const { input } = await transferPlan();
  const prove = async () => void (await prover.prove("transfer", input));
  await closedLoop(2, 10, prove);
  const proofAlone = await closedLoop(1, 40, prove);
  const proofsTogether = await closedLoop(ACCOUNTS, 100, prove);
  await prover.close();

  // Until every thread of the web process has its tables (see `ServerProverOptions.tablesAfter`).
  await closedLoop(ACCOUNTS, 40 * availableParallelism(), (worker) => post(worker));
  await sleep(3_000);
  const traced = () => ({ traceparent: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01` });
  const one = await closedLoop(1, SINGLE, (worker) => post(worker, traced()));
  const proved = await spansOf(product, "prove", SINGLE);
  const bare = await barePayments();
  const sixteen = await closedLoop(ACCOUNTS, 160, (worker) => post(worker));
  const burst = await closedLoop(BURST, 2 * BURST, () => post(0));

  return {
    bare_statements: bare,
    span_prove_p50: round(median(proved)),
    bare_proof: { one: proofAlone, sixteen: proofsTogether },
    post_transfers: { one, sixteen, one_account_burst: burst },
    ratios: {
      overhead_over_bare_statements: round((one.p50 - median(proved)) / bare.p50),
      post_over_proof_p50: round(one.p50 / proofAlone.p50),
      payments_over_proofs_per_second: round(sixteen.perSecond / proofsTogether.perSecond),
      one_account_burst_over_proofs: round(burst.perSecond / proofsTogether.perSecond),
    },
    goals: {
      overhead_over_bare_statements: "<= 2.5",
      post_over_proof_p50: "<= 1.5",
      payments_over_proofs_per_second: ">= 0.85",
      one_account_burst_over_proofs: ">= 2.0",
    },
  };
}

/** Milliseconds of the spans of that many requests, once they are exported. */
async function spansOf(product: Product, name: string, count: number): Promise<number[]> {
  for (let waited = 0; waited < 60; waited++) {
    const spans = product.spans(name);
    if (spans.length >= count) return spans;
    await sleep(500);
  }
  throw new Error(`the product did not export ${count} spans "${name}"`);
}

async function barePayments(): Promise<Measured> {
  const server = await startBareServer();
  const pay = async () => {
    const response = await fetch(`${server.url}/payment`, { method: "POST", body: '{"to":"@demo","amount":"1.25"}' });
    const reply = await response.text();
    if (response.status !== 201) throw new Error(`the bare handler answered ${response.status}: ${reply}`);
  };
  try {
    await closedLoop(1, 200, pay);
    return await closedLoop(1, 200, pay);
  } finally {
    await server.stop();
  }
}
