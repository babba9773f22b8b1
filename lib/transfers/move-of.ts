import type { Asset } from "@/lib/assets";
import type { BudgetId } from "@/lib/budgets/lock";
import type { Context, ContextAccount } from "@/lib/context/context";
import { isOwnersAct, isOwnMove } from "./find-payer";
import type { Receiver } from "./find-receiver";
import type { PayerRecord } from "./read-payer";

/** How a payment moves. */
export interface Move {
  /** Between an account and its own agent. */
  isFund: boolean;
  /** An agent's, or of an account under its own policy: the policy rules, and the ledger counts. */
  hasPolicy: boolean;
  /** The payer's budget, then of a `fund` the receiver's. */
  budgetIds: [BudgetId, ...BudgetId[]];
}

interface MovingPayment {
  payer: ContextAccount;
  asset: Asset;
  receiver: Receiver;
  confidential: boolean;
}

/**
 * How a payment that a key signs moves. What an agent asked for itself stays a payment under its policy also when the
 * owner's key approves it.
 */
export function moveOf(ctx: Context, payment: MovingPayment, says: PayerRecord | null, approved: boolean): Move {
  const { payer, receiver, asset, confidential } = payment;
  const { recipient } = receiver;
  const isFund = !approved && confidential && isOwnersAct(ctx) && isOwnMove(payer, recipient);
  const budgetId = { chainId: ctx.chainId, account: payer.address, asset: asset.address };
  return {
    isFund,
    hasPolicy: !isFund && (payer.type === "agent" || says?.hasPolicy === true),
    budgetIds: isFund ? [budgetId, { ...budgetId, account: recipient.address }] : [budgetId],
  };
}
