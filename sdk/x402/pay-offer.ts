import type { Hex } from "viem";
import { HalcyonError } from "../api/errors";
import type { HeldPayment, Transfer } from "../api/resources/transfers";
import { settled } from "../attempts/transfer-status";
import type { Context } from "../context/context";
import { type SendCall, send } from "../payments/send";
import type { OpenOffer } from "./paying-scheme";

/** The owner has to approve a payment before it happens. Ask for the same again after that: nothing is paid twice. */
export class PaymentHeld extends HalcyonError {
  constructor(readonly transactionId: string) {
    super(
      "policy_violation",
      `This payment awaits its owner's approval (${transactionId}). Ask for the same resource again after that.`,
    );
  }
}

/**
 * Pays an offer, or goes on with its payment; returns the transaction once it is final.
 *
 * @param decided called once the offer is paid or refused for good, and not while that is unknown
 */
export async function payOffer(
  context: Context,
  payment: SendCall,
  offer: OpenOffer,
  decided: () => void,
): Promise<Hex> {
  try {
    const transaction = offer.transactionId
      ? await approved(context, offer.transactionId)
      : await paid(context, payment, offer);
    decided();
    return transaction;
  } catch (error) {
    const open = error instanceof PaymentHeld || !(error instanceof HalcyonError) || UNKNOWN.has(error.code);
    if (!open) decided();
    throw error;
  }
}

/** Errors after which the payment may have happened, or may still happen. */
const UNKNOWN = new Set(["outcome_unknown", "unavailable", "internal", "idempotency_in_progress", "rate_limited"]);

async function paid(context: Context, payment: SendCall, offer: OpenOffer): Promise<Hex> {
  const result = await send(context, payment);
  if (result.status !== "pending_approval") return result.tx_hash;
  offer.transactionId = result.transaction_id;
  throw new PaymentHeld(result.transaction_id);
}

/** The transaction of a payment that was held, once its owner has approved it. */
async function approved(context: Context, id: string): Promise<Hex> {
  const headers = context.bearer;
  const held = await context.http.send("GET", `/v1/agents/transactions/${encodeURIComponent(id)}`, { headers });
  const { status, transfer_id: transferId } = held.body as HeldPayment & { status: string; transfer_id?: string };
  if (status === "pending_approval") throw new PaymentHeld(id);
  if (transferId === undefined) {
    throw new HalcyonError("policy_violation", `The payment was ${status}. Nothing was paid.`);
  }
  const { body } = await context.http.send("GET", `/v1/transfers/${encodeURIComponent(transferId)}`, { headers });
  return (await settled(context, body as Transfer)).tx_hash;
}
