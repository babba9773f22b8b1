import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { GAS_LIMIT } from "@/lib/chain/gas";
import { signTransaction } from "@/lib/chain/sign-transaction";
import { deriveViewingKey, newAccountKey } from "@/lib/ledger/crypto/keys";
import { NO_WINDOW } from "@/lib/ledger/crypto/window";
import type { SignedPayment, SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { finishPlan, type Plan } from "@/lib/ledger/prepare/plan";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { createServerProver } from "@/lib/prover/create-server-prover";
import type { BareStatements, Signed } from "./bare-payment";

const CHAIN = 46630;
const LEDGER = `0x${"aa".repeat(20)}` as const;
const [ACCOUNT, TO, ASSET] = [`0x${"a1".repeat(20)}`, `0x${"b1".repeat(20)}`, `0x${"c1".repeat(20)}`] as const;
const FEES = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

/** What a response says, and how many milliseconds its proof took. */
interface Made {
  made: unknown;
  proveMs: number;
}

/** Pays once so many callers wait, with one proof for all of them. */
export type LeastPayments = (inProof: number) => Promise<Made>;

/**
 * The least that payments take: plans with encrypted copies, a proof that is verified, both signatures and the
 * statements ({@link openBarePayments}), over bare HTTP. No chain, and nothing that makes it a product: no limits, no
 * policy, no idempotency, no traces, no batches that are refused. What the product can reach at most is what this
 * reaches.
 */
export function openLeastPayments(statements: BareStatements): LeastPayments {
  const scope = { chainId: CHAIN, ledger: LEDGER, domainSalt: `0x${"11".repeat(32)}` } as const;
  const viewingKey = deriveViewingKey(newAccountKey(), scope).publicKey;
  const available = { limit: 0xfedc_ba98_7654n, salt: 5n, window: NO_WINDOW };
  const request = () => ({
    ...{ scope, account: ACCOUNT, asset: ASSET, available, policyVersion: 0n, secret: newAccountKey() },
    ...{ deadline: 2_000_000_000n, payerViewingKey: viewingKey },
  });
  const payment = { to: TO, amount: 1_250_000n, recipientViewingKey: viewingKey };
  const prover = createServerProver({ tablesAfter: 0 });
  const [payer, relayer] = [generatePrivateKey(), privateKeyToAccount(generatePrivateKey())];
  let nonce = 0;

  async function proved(plan: Plan<SignedPayment | SignedTransferMany>, tookMs: (ms: number) => void): Promise<Signed> {
    const { circuit, digest, typedData } = plan.call;
    const start = performance.now();
    const proving = (await prover).proveAndVerify(circuit, plan.input).finally(() => tookMs(performance.now() - start));
    const [proof, signature] = await Promise.all([proving, keySigner(payer)({ digest, typedData })]);
    const data = documentCalldata(finishPlan(plan, proof, signature));
    const call = { target: LEDGER, data, value: 0n, gas: GAS_LIMIT.gas };
    const { hash, raw } = await signTransaction(CHAIN, relayer, nonce++, call, FEES);
    if (!(await proof.verified)) throw new Error("a fresh proof does not verify");
    return { hash: bytes(hash), raw: bytes(raw), data: bytes(data) };
  }

  async function pay(count: number): Promise<Made[]> {
    const plan =
      count === 1
        ? await planTransfer({ ...request(), ...payment })
        : await planTransferMany({ ...request(), payments: Array.from({ length: count }, () => payment) });
    let proveMs = Number.NaN;
    const tookMs = (ms: number) => {
      proveMs = ms;
    };
    const all = await statements(count, () => proved(plan, tookMs));
    return all.map((made) => ({ made, proveMs }));
  }

  let waiting: { resolve(made: Made): void; reject(error: unknown): void }[] = [];
  return (inProof) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (waiting.length < inProof) return;
      const callers = waiting;
      waiting = [];
      pay(inProof).then(
        (made) => {
          for (const [at, caller] of callers.entries()) caller.resolve(made[at] as Made);
        },
        (error: unknown) => {
          for (const caller of callers) caller.reject(error);
        },
      );
    });
}

const bytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), "hex");
