import type { Hex } from "viem";
import { HalcyonError } from "../api/errors";
import type { KeyedPayment, ServicePayments } from "./buyer";
import { notServed, type OpenPayment, type OpenPayments, type RecordedPayment } from "./open-payments";
import { PaymentHeld } from "./payment-held";

/** An offer's payment, final on chain. */
export interface OfferPayment {
  transaction: Hex;
  transferId: string;
}

/** How long the service remembers an `Idempotency-Key`, minus an hour. In milliseconds. */
const KNOWN_MS = 23 * 3_600_000;

/** Errors after which the payment may have happened, or may still happen. */
const UNKNOWN = /^(outcome_unknown|unavailable|internal|idempotency_in_progress|rate_limited|aborted)$/;

/** Errors that the service returns only after it has found no earlier payment with the same idempotency key. */
const NOT_MADE = /^(policy_violation|insufficient_balance|kyc_required|recipient_.+)$/;

/** Pays an offer, or continues its payment, until the payment is final. Keeps its record up to date. */
export async function payOffer(
  service: ServicePayments,
  payment: KeyedPayment,
  payments: OpenPayments,
  recorded: RecordedPayment,
): Promise<OfferPayment> {
  const { open, earlier } = recorded;
  const put = (kept?: OpenPayment) => payments.put(recorded, kept);
  if (!open.transferId && !open.transactionId) {
    if (Date.now() - open.begun > KNOWN_MS) throw notServed(" in time");
    const sent = await service.pay(payment).catch(async (error: unknown) => {
      const code = error instanceof HalcyonError ? error.code : "internal";
      // A repeat may be refused before the service looks for the earlier payment.
      if (earlier ? NOT_MADE.test(code) : !UNKNOWN.test(code)) await put();
      throw error;
    });
    if ("transaction_id" in sent) open.transactionId = sent.transaction_id;
    else open.transferId = sent.transfer_id;
    await put(open);
    if (open.transactionId) throw new PaymentHeld(open.transactionId);
  }
  const transferId = open.transferId ?? (await approved());
  try {
    const { tx_hash: transaction } = await service.settled(transferId);
    return { transaction, transferId };
  } catch (error) {
    if (error instanceof HalcyonError && error.code === "transfer_failed") await put();
    throw error;
  }

  /** Returns the transfer of a payment that awaited approval, once its owner has approved it. */
  async function approved(): Promise<string> {
    const id = String(open.transactionId);
    const { status, transfer_id } = await service.held(id);
    if (status === "pending_approval") throw new PaymentHeld(id);
    if (transfer_id !== undefined) return transfer_id;
    await put();
    throw new HalcyonError("policy_violation", `The payment was ${status}. Nothing was paid.`);
  }
}
