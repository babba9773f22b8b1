import type { Hex } from "viem";
import { HalcyonError } from "../api/errors";
import type { HeldPayment, Transfer } from "../api/resources/transfers";
import { type SettledTransfer, settled } from "../attempts/transfer-status";
import type { Context } from "../context/context";
import { type SendCall, send } from "../payments/send";
import type { OpenOffer } from "./open-offers";
import { PaymentHeld } from "./payment-held";

/** Callbacks on the progress of an offer's payment. */
export interface Progress {
  /** The payment awaits approval; the offer now contains its id. */
  held(): Promise<void>;
  /** The payment was not made, and will not be. */
  refused(): Promise<void>;
}

/** An offer's payment, final on chain. */
export interface PaidOffer {
  transaction: Hex;
  transferId: string;
}

/**
 * Pays an offer, or continues its payment, until the payment is final.
 *
 * @param earlier whether an earlier call may have paid it
 */
export async function payOffer(
  context: Context,
  payment: SendCall,
  offer: Pick<OpenOffer, "transactionId">,
  { held, refused }: Progress,
  earlier: boolean,
): Promise<PaidOffer> {
  if (offer.transactionId) return approved(context, offer.transactionId, refused);
  try {
    const result = await send(context, payment);
    if (result.status !== "pending_approval") return named(result);
    offer.transactionId = result.transaction_id;
    await held();
    throw new PaymentHeld(result.transaction_id);
  } catch (error) {
    const open = error instanceof PaymentHeld || !(error instanceof HalcyonError);
    if (!open && (earlier ? NOT_MADE.test(error.code) : !UNKNOWN.has(error.code))) await refused();
    throw error;
  }
}

/** Converts the result. A payment that the service signs always has a transfer id. */
function named({ tx_hash, transfer_id }: Pick<SettledTransfer, "tx_hash" | "transfer_id">): PaidOffer {
  if (transfer_id === null) throw new HalcyonError("unavailable", "The service does not name this payment.");
  return { transaction: tx_hash, transferId: transfer_id };
}

/** Errors after which the payment may have happened, or may still happen. */
const UNKNOWN = new Set([
  "outcome_unknown",
  "unavailable",
  "internal",
  "idempotency_in_progress",
  "rate_limited",
  "aborted",
]);

/** Errors that the service returns only after it has found no earlier payment with the same idempotency key. */
const NOT_MADE = /^(transfer_failed|policy_violation|insufficient_balance|kyc_required|recipient_.+)$/;

/** Returns the transaction of a payment that awaited approval, once its owner has approved it. */
async function approved(context: Context, id: string, refused: Progress["refused"]): Promise<PaidOffer> {
  const headers = context.bearer;
  const held = await context.http.send("GET", `/v1/agents/transactions/${encodeURIComponent(id)}`, { headers });
  const { status, transfer_id: transferId } = held.body as HeldPayment & { status: string; transfer_id?: string };
  if (status === "pending_approval") throw new PaymentHeld(id);
  if (transferId === undefined) {
    await refused();
    throw new HalcyonError("policy_violation", `The payment was ${status}. Nothing was paid.`);
  }
  const { body } = await context.http.send("GET", `/v1/transfers/${encodeURIComponent(transferId)}`, { headers });
  try {
    return named(await settled(context, body as Transfer));
  } catch (error) {
    if (error instanceof HalcyonError && error.code === "transfer_failed") await refused();
    throw error;
  }
}
