import type { Hex } from "viem";
import { UnsealFailed } from "@/lib/ledger/errors";
import { callAsOwner } from "./agents";
import type { SealedHeldPayment } from "./api-types";
import type { AttemptOptions } from "./attempt-options";
import { underLease } from "./budget-lease";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { openHeldPayment } from "./held";
import { partyOf } from "./party";
import { preparePayment } from "./payment";
import { resolveRecipient } from "./recipient";
import type { DecidedPayment } from "./resources";
import { settled } from "./transfer-status";

export interface ApproveOptions extends Omit<AttemptOptions, "idempotencyKey"> {
  /** Return once the service has accepted the payment, not when it is final on chain. */
  wait?: boolean;
  /** The sealed text that was opened for whoever approves: another one is refused. */
  sealed?: Hex;
}

/** A held payment that can still be approved. */
async function findHeld(context: Context, id: string): Promise<SealedHeldPayment> {
  const session = await context.session();
  const held = await session.get<SealedHeldPayment>(`/api/agents/transactions/${encodeURIComponent(id)}`);
  if (held.status === "pending_approval") return held;
  if (held.status === "expired") {
    throw new HalcyonError("transaction_expired", "The approval window of this payment has run out.");
  }
  throw new HalcyonError("transaction_not_found", `This payment was ${held.status} already.`);
}

function notAsked(cause: unknown): never {
  if (!(cause instanceof UnsealFailed)) throw cause;
  const message = "What this payment says does not open: your agent did not write it so. Reject it.";
  throw new HalcyonError("transaction_not_found", message, { cause });
}

/** Builds what the agent asked for, and nothing else, from the agent's newest budget; signed by the owner's spender. */
async function approvePrepared(context: Context, id: string, sealed?: Hex): Promise<DecidedPayment> {
  const entry = await findHeld(context, id);
  if (sealed !== undefined && entry.sealed !== sealed) {
    throw new HalcyonError("transaction_not_found", "This payment is no longer the one you were shown. Reject it.");
  }
  const [payer, asset] = await Promise.all([partyOf(context, entry.agent), context.asset(entry.asset)]);
  const text = await openHeldPayment(context, entry, payer.address).catch(notAsked);
  const to = await resolveRecipient(context, payer.address, entry.to, text.to);
  const { amount: units, kind, memo } = text;
  const session = await context.session();
  return underLease(context, payer, asset, async (leaseToken) => {
    const prepared = await preparePayment(context, payer, { to, asset, units, kind, memo, counted: true });
    const path = `/api/agents/transactions/${encodeURIComponent(id)}/approve`;
    return session.post<DecidedPayment>(path, { prepared, ...(leaseToken && { lease_token: leaseToken }) });
  });
}

/**
 * Approves a held payment and waits until it is final on chain, unless told not to. With the wallet the payment is opened, built and signed
 * on this machine, to the address the agent asked for; with an API key alone the service does it while the request lasts.
 *
 * @example
 * await halcyon.approve("txn_…"); // { transaction_id: "txn_…", status: "approved", transfer_id: "tr_…", tx_hash: "0x…", … }
 * @throws HalcyonError `transaction_not_found`, `transaction_expired`, `policy_violation`, `insufficient_balance`
 */
export async function approve(context: Context, id: string, options: ApproveOptions = {}): Promise<DecidedPayment> {
  const decided = context.hasWallet
    ? await approvePrepared(context, id, options.sealed)
    : await callAsOwner<DecidedPayment>(context, "POST", `/transactions/${encodeURIComponent(id)}/approve`, {});
  if (!decided.transfer_id || options.wait === false) return decided;
  const { tx_hash } = await settled(context, decided.transfer_id, context.hasWallet ? "session" : "key");
  return { ...decided, tx_hash };
}
