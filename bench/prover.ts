import path from "node:path";
import { groth16 } from "snarkjs";
import { keptCircuit } from "@/circuits/build/kept";
import { deriveViewingKey, newAccountKey } from "@/lib/ledger/crypto/keys";
import { policyCommitment } from "@/lib/ledger/crypto/policy-commitment";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { NO_WINDOW } from "@/lib/ledger/crypto/window";
import { makeDecryptionProof } from "@/lib/ledger/decryption-proof";
import { dayWindow } from "@/lib/ledger/policy/day-window";
import { planFund } from "@/lib/ledger/prepare/plan-fund";
import { planMakeAvailable } from "@/lib/ledger/prepare/plan-make-available";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planSpend } from "@/lib/ledger/prepare/plan-spend";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { CIRCUITS, type CircuitInput } from "@/lib/ledger/prepare/witness";
import { artifactFiles, repositoryRoot } from "@/lib/prover/artifact-files";
import { ProverEngine } from "@/lib/prover/prover-engine";
import { median, round } from "./measure";

/**
 * The circuits that the service proves and verifies. A proof of funds is only proven by the owner and verified by the
 * verifier.
 */
const MEASURED = CIRCUITS.filter((name) => name !== "at-least");
type CircuitName = Exclude<(typeof CIRCUITS)[number], "at-least">;

/** How often to measure each circuit: with our prover, and with snarkjs. */
const RUNS: Record<CircuitName, readonly [number, number]> = {
  transfer: [15, 9],
  release: [9, 5],
  spend: [9, 5],
  "spend-public": [9, 5],
  "pay-many": [5, 3],
  fund: [9, 5],
  "make-available": [5, 3],
  balance: [3, 3],
};

/** Milliseconds of wall clock and of CPU (all threads of the process), medians. */
interface Cost {
  ms: number;
  cpu_ms: number;
}

interface CircuitFigures {
  prove: Cost;
  verify: Cost;
  snarkjs_full_prove: Cost;
  /** Our CPU divided by that of snarkjs in the same run. Other load on the machine doesn't distort this. */
  cpu_over_snarkjs: number;
}

async function cost(runs: number, work: () => Promise<unknown>): Promise<Cost> {
  const times: number[] = [];
  const cpus: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push(performance.now() - start);
    cpus.push((user + system) / 1000);
  }
  return { ms: round(median(times)), cpu_ms: round(median(cpus)) };
}

/** Returns a satisfiable input for each circuit, with full-sized amounts: small ones have fewer bits to prove. */
async function inputs(): Promise<Record<CircuitName, CircuitInput>> {
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
  const payment = { ...common, to, amount: 0x1234_5678_9abcn, policyVersion: 1n };
  const noted = { ...payment, recipientViewingKey: X };
  const policy = { perPayment: 1n << 60n, daily: 1n << 61n, threshold: 1n << 59n, salt: 7n };
  const terms = { mode: SPEND_MODE.agent, day: 20_000n };
  const limited = {
    terms,
    policy,
    policyCommitment: policyCommitment(policy),
    deadline: dayWindow(terms.day).until - 1n,
  };
  // On the same day, so that the amount already spent counts.
  const counted = { ...limited, available: { ...available, window: { spent: 0x7654_3210_fedcn, day: terms.day } } };
  const payments = Array.from({ length: 16 }, (_, i) => ({
    to,
    amount: 0x0234_5678_9abcn + BigInt(i),
    recipientViewingKey: X,
  }));
  const notes = Array.from({ length: 16 }, (_, i) => ({ amount: 0x7654_3210_fedcn + BigInt(i), salt: BigInt(i + 9) }));
  let balance: CircuitInput = {};
  await makeDecryptionProof(
    { scope, account, block: 1n, issuedAt: 1n, assets: [{ asset, notes, available }] },
    async (_, input) => {
      balance = input;
      const flat = [input.notes, input.available, input.total, input.ctx].flat() as bigint[];
      return { proof: `0x${"00".repeat(256)}`, publicSignals: flat };
    },
  );
  const makingAvailable = {
    ...common,
    notes: notes.slice(0, 8),
    deposited: 1_000_000n,
    newLimit: 0x1234_5678_9abcn,
    nonce: 0n,
  };
  return {
    transfer: (await planTransfer(noted)).input,
    release: (await planRelease(payment)).input,
    spend: (await planSpend({ ...noted, ...counted })).input,
    "spend-public": (await planSpendPublic({ ...payment, ...counted })).input,
    "pay-many": (await planTransferMany({ ...common, policyVersion: 1n, payments })).input,
    fund: (await planFund({ ...payment, toAvailable: available, toSecret: newAccountKey() })).input,
    "make-available": (await planMakeAvailable(makingAvailable)).input,
    balance,
  };
}

/** Converts an input to the decimal strings that snarkjs expects. */
function asText(input: CircuitInput): Record<string, string | string[]> {
  const entries = Object.entries(input).map(([name, value]) => {
    return [name, typeof value === "bigint" ? String(value) : value.map(String)] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Measures proving and verifying of each circuit, warm and on one thread like a worker of the server, against snarkjs'
 * `fullProve` in the same run. The first run in a working tree compiles the circuits for snarkjs.
 */
export async function run(): Promise<Record<CircuitName, CircuitFigures> & { goals: Record<string, string> }> {
  const root = repositoryRoot();
  const engine = await ProverEngine.build(artifactFiles(root));
  for (const circuit of ["transfer", "spend", "pay-many"] as const) await engine.addTables(circuit);
  const input = await inputs();
  const figures = {} as Record<CircuitName, CircuitFigures>;
  for (const circuit of MEASURED) {
    const warmUp = 3;
    for (let i = 0; i < warmUp; i++) await engine.prove(circuit, input[circuit]);
    const { proof, publicSignals } = await engine.prove(circuit, input[circuit]);
    if (!(await engine.verify(circuit, proof, publicSignals))) throw new Error(`a proof of ${circuit} does not verify`);
    const [runs, snarkjsRuns] = RUNS[circuit];
    const prove = await cost(runs, () => engine.prove(circuit, input[circuit]));
    const verify = await cost(runs, () => engine.verify(circuit, proof, publicSignals));
    const { wasm } = await keptCircuit(circuit);
    const zkey = path.join(root, "circuits", "artifacts", `${circuit}.zkey`);
    const full = () => groth16.fullProve(asText(input[circuit]), wasm, zkey);
    await full();
    const snarkjs_full_prove = await cost(snarkjsRuns, full);
    const cpu_over_snarkjs = round(prove.cpu_ms / snarkjs_full_prove.cpu_ms);
    figures[circuit] = { prove, verify, snarkjs_full_prove, cpu_over_snarkjs };
  }
  return {
    ...figures,
    goals: {
      "transfer.cpu_over_snarkjs": "<= 0.15",
      "spend.cpu_over_snarkjs": "<= 0.2",
      "pay-many.cpu_over_snarkjs": "<= 0.2",
    },
  };
}
