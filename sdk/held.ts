import { fromHex } from "@/lib/ledger/bytes";
import { type HeldPayment as HeldText, openHeld } from "@/lib/ledger/held";
import { deriveAgentSecret, deriveHeldKey } from "@/lib/ledger/keys";
import { lowerCase } from "@/lib/ledger/next-state";
import { formatAmount } from "@/lib/money";
import { callAsOwner, listAgents } from "./agents";
import type { DecidedPayment, HeldPayment, SealedHeldPayment } from "./api-types";
import type { Context } from "./context";
import { HalcyonError } from "./errors";

/** A held payment with what only its owner can open. Null: the sealed text does not open, so it cannot be approved. */
export interface OpenedHeldPayment extends HeldPayment {
  asset?: string;
  amount?: string | null;
  memo?: string | null;
}

/** What the agent asked for, from the sealed text alone; throws `UnsealFailed`. */
export async function openHeldPayment(context: Context, entry: SealedHeldPayment): Promise<HeldText> {
  const [{ agents }, scope, vault, asset] = await Promise.all([
    listAgents(context),
    context.scope(),
    context.vault(),
    context.asset(entry.asset),
  ]);
  const known = agents.find(({ handle }) => handle === entry.agent);
  if (!known) throw new HalcyonError("not_found", `The service does not list your agent ${entry.agent}.`);
  const agent = lowerCase(known.public_key);
  const place = { id: entry.transaction_id, agent, asset: asset.address };
  const secret = deriveAgentSecret(vault.secret, agent, scope);
  return openHeld(deriveHeldKey(vault.secret, scope).secret, secret, scope, place, fromHex(entry.sealed));
}

async function opened(context: Context, entry: SealedHeldPayment): Promise<OpenedHeldPayment> {
  const { transaction_id, status, agent, to, asset, requested_at, expires_at } = entry;
  const text = await openHeldPayment(context, entry).catch(() => null);
  // What the agent named is shown; that it still stands for the address it asked for is checked by an approval.
  const { decimals } = await context.asset(asset);
  const amount = text && formatAmount(text.amount, decimals);
  return { transaction_id, status, agent, to, asset, amount, memo: text?.memo ?? null, requested_at, expires_at };
}

/**
 * The payments of the account's agents that wait for approval. With the wallet amounts and memos are opened on this
 * machine; an API key alone gets the list without them.
 *
 * @example
 * await halcyon.pending();
 * // { pending: [{ transaction_id: "txn_…", agent: "@alice/bot", to: "@bob", asset: "USDG", amount: "12", … }] }
 */
export async function pending(context: Context): Promise<{ pending: OpenedHeldPayment[] }> {
  const path = "/transactions/pending";
  if (!context.hasWallet) return callAsOwner<{ pending: HeldPayment[] }>(context, "GET", path);
  const entries = (await callAsOwner<{ pending: SealedHeldPayment[] }>(context, "GET", path)).pending;
  return { pending: await Promise.all(entries.map((entry) => opened(context, entry))) };
}

/** Drops a held payment; no money moves. */
export function reject(context: Context, id: string): Promise<DecidedPayment> {
  return callAsOwner<DecidedPayment>(context, "POST", `/transactions/${encodeURIComponent(id)}/reject`, {});
}
