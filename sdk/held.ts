import type { Address } from "viem";
import { fromHex } from "@/lib/ledger/bytes";
import { UnsealFailed } from "@/lib/ledger/errors";
import { type HeldPayment as HeldText, openHeld } from "@/lib/ledger/held";
import { deriveAgentSecret, deriveHeldKey } from "@/lib/ledger/keys";
import { lowerCase } from "@/lib/ledger/next-state";
import { formatAmount } from "@/lib/money";
import { callAsOwner, listAgents } from "./agents";
import type { SealedHeldPayment } from "./api-types";
import type { Context } from "./context";
import type { Agent, DecidedPayment, HeldPayment, HeldPaymentDetails } from "./resources";

/** A held payment with what only its owner can open. Null: the sealed text does not open, so it cannot be approved. */
export interface OpenedHeldPayment extends HeldPayment {
  asset?: string;
  amount?: string | null;
  memo?: string | null;
}

/** What of a held payment is needed to open it. */
export type SealedHeldText = Pick<SealedHeldPayment, "transaction_id" | "asset" | "sealed">;

/**
 * What the agent of that address asked for, from the sealed text alone.
 *
 * @throws UnsealFailed also when another agent, or nobody who may, wrote it
 */
export async function openHeldPayment(context: Context, entry: SealedHeldText, address: Address): Promise<HeldText> {
  const [scope, vault, asset] = await Promise.all([context.scope(), context.vault(), context.asset(entry.asset)]);
  const agent = lowerCase(address);
  const place = { id: entry.transaction_id, agent, asset: asset.address };
  const secret = deriveAgentSecret(vault.secret, agent, scope);
  return openHeld(deriveHeldKey(vault.secret, scope).secret, secret, scope, place, fromHex(entry.sealed));
}

async function opened(context: Context, entry: SealedHeldPayment, agents: Agent[]): Promise<OpenedHeldPayment> {
  const { transaction_id, status, agent, to, asset, requested_at, expires_at } = entry;
  const address = agents.find(({ handle }) => handle === agent)?.public_key;
  const text = address ? await openHeldPayment(context, entry, address).catch(unreadable) : null;
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
  const { agents } = entries.length > 0 ? await listAgents(context) : { agents: [] };
  return { pending: await Promise.all(entries.map((entry) => opened(context, entry, agents))) };
}

function unreadable(error: unknown): null {
  if (error instanceof UnsealFailed) return null;
  throw error;
}

/**
 * One held payment and what became of it, without its amount. Needs an API key; an agent's key sees the agent's own.
 *
 * @throws HalcyonError `transaction_not_found`
 */
export async function heldPayment(context: Context, id: string): Promise<HeldPaymentDetails> {
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}`;
  return (await context.http.send("GET", path, { headers: context.bearer })).body as HeldPaymentDetails;
}

/** Drops a held payment; no money moves. */
export function reject(context: Context, id: string): Promise<DecidedPayment> {
  return callAsOwner<DecidedPayment>(context, "POST", `/transactions/${encodeURIComponent(id)}/reject`, {});
}
