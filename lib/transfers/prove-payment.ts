import type { Hex } from "viem";
import { ApiError } from "@/lib/errors";
import { UNITS_BOUND } from "@/lib/ledger/crypto/field";
import type { PreparedPayment } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import type { PaymentRequest } from "@/lib/ledger/prepare/payment-request";
import { completePlan, type Plan } from "@/lib/ledger/prepare/plan";
import { type FundRequest, planFund } from "@/lib/ledger/prepare/plan-fund";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { processProver } from "@/lib/prover/process-prover";

/**
 * Plans, proves and signs a payment of one budget: confidential to an enrolled recipient, or public. The proof is
 * verified before anything is recorded.
 *
 * @throws unavailable when the prover's queue is full, and what the ledger library throws
 */
export async function provePayment(
  confidential: boolean,
  request: PaymentRequest,
  recipientViewingKey: Uint8Array | undefined,
  privateKey: Hex,
): Promise<PreparedPayment> {
  if (!confidential) {
    return complete(await planRelease({ ...request, recipientViewingKey }), privateKey);
  }
  if (!recipientViewingKey) throw new Error("a confidential payment needs its recipient's viewing key");
  return complete(await planTransfer({ ...request, recipientViewingKey }), privateKey);
}

/**
 * As {@link provePayment}, of a move between the budgets of an account and its agent.
 *
 * @throws invalid_request when the receiving budget would reach 2^64 units
 */
export async function proveFund(request: FundRequest, privateKey: Hex): Promise<PreparedPayment> {
  if (request.toBudget.limit + request.amount >= UNITS_BOUND) {
    throw new ApiError("invalid_request", "No balance can hold this much. Move less.", { param: "amount" });
  }
  return complete(await planFund(request), privateKey);
}

async function complete<D extends PreparedPayment>(plan: Plan<D>, privateKey: Hex): Promise<D> {
  const prover = await processProver();
  const document = await completePlan(plan, (circuit, input) => prover.prove(circuit, input), keySigner(privateKey));
  const { circuit, publicSignals } = plan.call;
  if (!(await prover.verify(circuit, document.proof, publicSignals))) throw new Error("a fresh proof does not verify");
  return document;
}
