import type { Hex } from "viem";
import { ApiError } from "@/lib/base/errors";
import { UNITS_BOUND } from "@/lib/ledger/crypto/field";
import type { SignedDocument, SignedPayment, SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import type { LimitedTerms } from "@/lib/ledger/prepare/limited-step";
import type { PublicPaymentRequest } from "@/lib/ledger/prepare/payment-request";
import { finishPlan, type Plan } from "@/lib/ledger/prepare/plan";
import { type FundRequest, planFund } from "@/lib/ledger/prepare/plan-fund";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planSpend } from "@/lib/ledger/prepare/plan-spend";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { RefusedByPolicy } from "@/lib/ledger/prepare/refused-by-policy";
import { policyViolation } from "@/lib/policy/policy-violation";
import { processProver } from "@/lib/prover/process-prover";
import type { TakenBy } from "./resolve-signer";

/** A payment that is proved and signed. */
export interface Proven<D extends SignedDocument> {
  document: D;
  /** Await this before the transaction that records the payment commits. Rejects if the proof is invalid. */
  verified: Promise<void>;
}

/** A payment to one recipient and, for an available balance under a policy, what the policy needs. */
interface PaymentToProve extends PublicPaymentRequest {
  binding?: Uint8Array;
  limited: LimitedTerms | null;
}

/**
 * Plans, proves and signs a payment from one available balance, for the ledger function that takes it: confidential to
 * an enrolled recipient, or public. The proof is verified while the caller goes on.
 *
 * @throws ApiError `policy_violation` when the ledger would refuse it, `unavailable` when the prover's queue is full,
 *   and the errors of the ledger library
 */
export async function provePayment(
  route: TakenBy,
  request: PaymentToProve,
  privateKey: Hex,
): Promise<Proven<SignedPayment>> {
  const { limited, recipientViewingKey } = request;
  switch (route.function) {
    case "transfer":
      return complete(await planTransfer({ ...request, recipientViewingKey: known(recipientViewingKey) }), privateKey);
    case "release":
      return complete(await planRelease(request), privateKey);
    case "spend": {
      const spend = { ...request, ...known(limited), recipientViewingKey: known(recipientViewingKey) };
      return complete(await planSpend(spend).catch(refuse), privateKey);
    }
    case "spend_public":
      return complete(await planSpendPublic({ ...request, ...known(limited) }).catch(refuse), privateKey);
  }
}

/**
 * Like {@link provePayment}, for a move between the available balances of an account and its agent.
 *
 * @throws ApiError `invalid_request` when the receiving available balance would reach 2^64 units
 */
export async function proveFund(request: FundRequest, privateKey: Hex): Promise<Proven<SignedPayment>> {
  if (request.toAvailable.limit + request.amount >= UNITS_BOUND) {
    throw new ApiError("invalid_request", "No balance can hold this much. Move less.", { param: "amount" });
  }
  return complete(await planFund(request), privateKey);
}

/** Like {@link provePayment}, for 2 to 16 planned payments in one proof. */
export function proveBatch(plan: Plan<SignedTransferMany>, privateKey: Hex): Promise<Proven<SignedTransferMany>> {
  return complete(plan, privateKey);
}

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("a payment lacks what its function of the ledger needs");
  return value;
}

/**
 * Converts the error of a payment that the ledger would refuse. When it is proved, the stored policy and the ledger's
 * are the same, so each reason has its rule there. A payment above the threshold was held before.
 */
function refuse(error: unknown): never {
  if (!(error instanceof RefusedByPolicy)) throw error;
  switch (error.reason) {
    case "no_policy":
      throw policyViolation("asset_not_allowed");
    case "per_transaction_limit":
    case "daily_limit":
      throw policyViolation(error.reason);
    case "approval_threshold":
      throw error;
  }
}

async function complete<D extends SignedDocument>(plan: Plan<D>, privateKey: Hex): Promise<Proven<D>> {
  const prover = await processProver();
  const { circuit, digest, typedData } = plan.call;
  // The signature does not depend on the proof, so it is made while a thread proves.
  const proving = prover.proveAndVerify(circuit, plan.input);
  const [proven, signature] = await Promise.all([proving, keySigner(privateKey)({ digest, typedData })]);
  const verified = proven.verified.then((isGood) => {
    if (!isGood) throw new Error("a fresh proof does not verify");
  });
  // A caller that fails before it awaits this has failed anyway.
  verified.catch(() => {});
  return { document: finishPlan(plan, proven, signature), verified };
}
