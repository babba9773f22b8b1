import type { Address } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { deriveAgentSecret, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { type HeldPayment as HeldText, openHeld } from "@/lib/ledger/seal/held";
import { formatAmount } from "@/lib/money";
import { type CallOptions, callAsOwner, findAgent, listAgents } from "../account/agents";
import type { SealedHeldPayment } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import { type Paged, type PageInfo, paged } from "../api/paging";
import type { Agent, DecidedPayment, HeldPayment, HeldPaymentDetails } from "../api/resources";
import type { Context } from "../context/context";

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

/** Which of them, and how many at a time. */
export interface PendingInput {
  /** Entries per page, 1 to 100; 20 when left out. */
  limit?: number;
  offset?: number;
  /** Name or handle of one agent; all of them when left out. */
  agent?: string;
}

/** A page of payments that wait. */
export interface PendingList extends PageInfo {
  pending: OpenedHeldPayment[];
}

function pendingPath(query: PendingInput): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `/transactions/pending?${new URLSearchParams(given)}`;
}

/**
 * The payments of the account's agents that wait for approval, oldest first. With the wallet amounts and memos are opened on
 * this machine; an API key alone gets the list without them.
 *
 * @example
 * const { pending } = await halcyon.pending({ limit: 100 });
 * // [{ transaction_id: "txn_…", agent: "@alice/bot", to: "@bob", asset: "USDG", amount: "12", … }]
 * for await (const held of halcyon.pending()) console.log(held.to);
 */
export function pending(context: Context, input: PendingInput = {}): Paged<PendingList, OpenedHeldPayment> {
  const read = async ({ agent, ...page }: PendingInput): Promise<PendingList> => {
    const path = pendingPath({ ...page, agent: agent && (await findAgent(context, agent)).account_id });
    if (!context.hasWallet) return callAsOwner<PageInfo & { pending: HeldPayment[] }>(context, "GET", path);
    const list = await callAsOwner<PageInfo & { pending: SealedHeldPayment[] }>(context, "GET", path);
    const { agents } = list.pending.length > 0 ? await listAgents(context) : { agents: [] };
    return { ...list, pending: await Promise.all(list.pending.map((entry) => opened(context, entry, agents))) };
  };
  return paged({ read, entries: (list) => list.pending, id: ({ transaction_id }) => transaction_id }, input);
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
export function reject(context: Context, id: string, options?: CallOptions): Promise<DecidedPayment> {
  return callAsOwner<DecidedPayment>(context, "POST", `/transactions/${encodeURIComponent(id)}/reject`, {}, options);
}

/**
 * Drops all held payments, of one agent or of all: what an owner does whose agent's key was stolen. No money moves.
 *
 * @example
 * await halcyon.rejectAll({ agent: "bot" }); // { rejected: 50 }
 */
export async function rejectAll(context: Context, { agent }: { agent?: string } = {}): Promise<{ rejected: number }> {
  const named = agent === undefined ? undefined : (await findAgent(context, agent)).account_id;
  if (!context.hasWallet) return rejectEach(context, named);
  const session = await context.session();
  for (let rejected = 0; ; ) {
    const done = await session.post<{ rejected: number; has_more: boolean }>("/api/agents/transactions/reject", {
      agent: named,
    });
    rejected += done.rejected;
    // What somebody else decides at this moment is not ours to wait for.
    if (!done.has_more || done.rejected === 0) return { rejected };
  }
}

/** With an API key, one by one: the contract has no other verb. */
async function rejectEach(context: Context, agent: string | undefined): Promise<{ rejected: number }> {
  for (let rejected = 0; ; ) {
    const path = pendingPath({ limit: 100, agent });
    const page = await callAsOwner<PageInfo & { pending: HeldPayment[] }>(context, "GET", path);
    const before = rejected;
    for (const { transaction_id } of page.pending) {
      const gone = (error: unknown) => error instanceof HalcyonError && /^transaction_/.test(error.code);
      await reject(context, transaction_id).then(
        () => {
          rejected += 1;
        },
        (error) => {
          if (!gone(error)) throw error;
        },
      );
    }
    if (!page.has_more || rejected === before) return { rejected };
  }
}
