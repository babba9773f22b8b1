import type { AvailableId } from "@/lib/balances/lock";
import type { Asset } from "@/lib/base/assets";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import { isOwnersAct, isOwnMove } from "./find-payer";
import type { Receiver } from "./find-receiver";
import type { PayerRecord } from "./read-payer";

/** The kind of a payment on the ledger. */
export interface Move {
  /** Whether it moves money between an account and its own agent. */
  isFund: boolean;
  /**
   * Whether the payer is an agent, or an account under its own policy. The policy then applies, and the ledger counts.
   */
  hasPolicy: boolean;
  /** The payer's available balance and, for a `fund`, the receiver's. */
  availableIds: [AvailableId, ...AvailableId[]];
}

interface MovingPayment {
  payer: ContextAccount;
  asset: Asset;
  receiver: Receiver;
  confidential: boolean;
  /** Whether the owner has approved it. */
  approved?: boolean | undefined;
}

/**
 * Returns the kind of a payment that a key signs. A payment that an agent asked for stays under its policy even if the
 * owner's key approves it.
 */
export function paymentKindOf(ctx: Context, payment: MovingPayment, says: PayerRecord | null): Move {
  const { payer, receiver, asset, confidential, approved } = payment;
  const { recipient } = receiver;
  const isFund = !approved && confidential && isOwnersAct(ctx) && isOwnMove(payer, recipient);
  const availableId = { chainId: ctx.chainId, account: payer.address, asset: asset.address };
  return {
    isFund,
    hasPolicy: !isFund && (payer.type === "agent" || says?.hasPolicy === true),
    availableIds: isFund ? [availableId, { ...availableId, account: recipient.address }] : [availableId],
  };
}
