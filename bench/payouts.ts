import { deriveViewingKey, newAccountKey } from "@/lib/ledger/crypto/keys";
import { NO_WINDOW } from "@/lib/ledger/crypto/window";
import { batchRows } from "@/lib/ledger/encrypted/batch-rows";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import type { CircuitInput } from "@/lib/ledger/prepare/witness";
import { artifactFiles, repositoryRoot } from "@/lib/prover/artifact-files";
import { ProverEngine } from "@/lib/prover/prover-engine";
import { median, round } from "./measure";

const ROWS = 100;
const ROUNDS = 5;

interface PayoutFigures {
  rows: number;
  /** Number of proofs that pay them. */
  proofs: number;
  /** CPU of one Transfer proof, and of all proofs of the payout, in milliseconds: medians of the rounds. */
  transfer_cpu_ms: number;
  payout_cpu_ms: number;
  /** The payout's proofs divided by one Transfer proof, in each round. */
  rounds: number[];
  payout_over_transfer: number;
  goals: Record<string, string>;
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Returns the input of each proof that the payout needs, with full-sized amounts, and the input of a single payment.
 */
async function inputs(): Promise<{ transfer: CircuitInput; batches: CircuitInput[] }> {
  const scope = { chainId: 46630, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
  const [account, to, asset] = [`0x${"a1".repeat(20)}`, `0x${"b1".repeat(20)}`, `0x${"c1".repeat(20)}`] as const;
  const X = deriveViewingKey(newAccountKey(), scope).publicKey;
  const available = { limit: 0xfedc_ba98_7654n, salt: 5n, window: NO_WINDOW };
  const common = {
    scope,
    account,
    asset,
    deadline: 2_000_000_000n,
    payerViewingKey: X,
    secret: newAccountKey(),
    available,
  };
  const rows = Array.from({ length: ROWS }, (_, i) => {
    return { to, amount: 0x0234_5678_9abcn + BigInt(i), recipientViewingKey: X };
  });
  const payment = { ...common, to, amount: 0x0234_5678_9abcn, policyVersion: 1n, recipientViewingKey: X };
  const { input: transfer } = await planTransfer(payment);
  const placed = batchRows(rows, () => asset);
  const batches: CircuitInput[] = [];
  for (const batch of new Set(placed.map((row) => row.batch))) {
    const payments = placed.filter((row) => row.batch === batch).map(({ item }) => item);
    batches.push((await planTransferMany({ ...common, policyVersion: 1n, payments })).input);
  }
  return { transfer, batches };
}

/**
 * Measures the proofs of a payout of a hundred rows in units of single-payment proofs: by CPU, warm, on one thread and
 * in alternating rounds, so that other load on the machine distorts neither.
 */
export async function run(): Promise<PayoutFigures> {
  const engine = await ProverEngine.build(artifactFiles(repositoryRoot()));
  for (const circuit of ["transfer", "pay-many"] as const) await engine.addTables(circuit);
  const { transfer, batches } = await inputs();
  const single = () => engine.prove("transfer", transfer);
  const payout = async () => {
    for (const batch of batches) await engine.prove("pay-many", batch);
  };
  for (const batch of [batches[0], batches.at(-1)]) {
    if (!batch) throw new Error("a payout has batches");
    const { proof, publicSignals } = await engine.prove("pay-many", batch);
    if (!(await engine.verify("pay-many", proof, publicSignals))) throw new Error("a proof of a batch does not verify");
  }
  for (let i = 0; i < 5; i++) await single();
  const [singles, payouts]: [number[], number[]] = [[], []];
  for (let round_ = 0; round_ < ROUNDS; round_++) {
    const each: number[] = [];
    for (let i = 0; i < 9; i++) each.push(await cpuOf(single));
    singles.push(median(each));
    payouts.push(await cpuOf(payout));
  }
  const rounds = payouts.map((cost, i) => round(cost / (singles[i] ?? Number.NaN)));
  return {
    rows: ROWS,
    proofs: batches.length,
    transfer_cpu_ms: round(median(singles)),
    payout_cpu_ms: round(median(payouts)),
    rounds,
    payout_over_transfer: median(rounds),
    goals: { payout_over_transfer: "<= 45" },
  };
}
