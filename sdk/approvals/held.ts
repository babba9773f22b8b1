import { type Address, isAddressEqual } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { deriveAgentSecret, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { type HeldPayment as HeldText, openHeld, readHeld } from "@/lib/ledger/seal/held";
import { formatAmount } from "@/lib/money";
import { callAsOwner, findAgent, type NamedAgent, namedAgents } from "../account/agents";
import type { SealedHeldPayment } from "../api/api-types";
import type { CallOptions } from "../api/call-options";
import { HalcyonError } from "../api/errors";
import { PAGE, type Paged, type PageInfo, type PageInput, paged } from "../api/paged";
import type { DecidedPayment, HeldPaymentDetails } from "../api/resources/approvals";
import type { HeldPayment } from "../api/resources/transfers";
import type { Context } from "../context/context";
import type { KeyContext } from "../context/key-context";

/**
 * A held payment with what only its owner can decrypt. Null: the encrypted text can't be decrypted, so it cannot be
 * approved.
 */
export interface OpenedHeldPayment extends HeldPayment {
  asset?: string;
  amount?: string | null;
  memo?: string | null;
}

/** What of a held payment is needed to decrypt it. */
export type SealedHeldText = Pick<SealedHeldPayment, "transaction_id" | "asset" | "sealed">;

/** What a held payment says, for a reader: with the wallet as an approval reads it, else with the viewing key. */
export async function readHeldPayment(context: Context, entry: SealedHeldText, address: Address): Promise<HeldText> {
  const key = context.heldReader;
  if (!key) return openHeldPayment(context, entry, address);
  const [scope, asset] = await Promise.all([context.scope(), context.asset(entry.asset), context.viewer()]);
  const place = { id: entry.transaction_id, agent: lowerCase(address), asset: asset.address };
  return readHeld(key, scope, place, fromHex(entry.sealed));
}

/**
 * What the agent of that address asked for, from the encrypted text alone.
 *
 * @throws UnsealFailed also when another agent, or someone without the right, wrote it
 */
export async function openHeldPayment(context: Context, entry: SealedHeldText, address: Address): Promise<HeldText> {
  const [scope, vault, asset] = await Promise.all([context.scope(), context.vault(), context.asset(entry.asset)]);
  const agent = lowerCase(address);
  const place = { id: entry.transaction_id, agent, asset: asset.address };
  // A key of an account under its own policy asks as well, for the account itself.
  const own = isAddressEqual(agent, context.wallet.address);
  const secret = own ? vault.secret : deriveAgentSecret(vault.secret, agent, scope);
  return openHeld(deriveHeldKey(vault.secret, scope).secret, secret, scope, place, fromHex(entry.sealed));
}

/** The address that asked: an agent, or the account itself, whose handle has no slash. */
export async function askerOf(
  context: Context,
  handle: string,
  agents: readonly NamedAgent[],
): Promise<Address | undefined> {
  const agent = agents.find((one) => one.handle === handle);
  return agent || handle.includes("/") ? agent?.public_key : (await context.viewer()).account;
}

async function opened(context: Context, entry: SealedHeldPayment, agents: NamedAgent[]): Promise<OpenedHeldPayment> {
  const { transaction_id, status, agent, to, asset, confidential, requested_at, expires_at } = entry;
  const { reference, refund_of, payment_request } = entry;
  const address = await askerOf(context, agent, agents);
  const text = address ? await readHeldPayment(context, entry, address).catch(unreadable) : null;
  // What the agent named is shown; that it still stands for the address it asked for is checked by an approval.
  const { decimals } = await context.asset(asset);
  const amount = text && formatAmount(text.amount, decimals);
  const said = { reference, refund_of, payment_request };
  const memo = text?.memo ?? null;
  return { transaction_id, status, agent, to, asset, confidential, amount, memo, requested_at, expires_at, ...said };
}

/** Which of them, and how many at a time. */
export interface PendingInput extends PageInput {
  /** Exactly this reference. */
  reference?: string | undefined;
  /** Name or handle of one agent; all of them when left out. */
  agent?: string | undefined;
}

/** The fields of {@link PendingInput}. */
export const PENDING = { ...PAGE, reference: "text", agent: "text" } as const;

/** {@link PendingInput} as the API takes it. */
export type PendingQuery = Omit<PendingInput, "startingAfter"> & { starting_after?: string | undefined };

/** A page of payments that wait. */
export interface PendingList extends PageInfo {
  pending: OpenedHeldPayment[];
}

export function pendingPath(query: PendingQuery & { include?: "encrypted" }): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `/transactions/pending?${new URLSearchParams(given)}`;
}

/** A page as the caller's credential gets it: with the encrypted texts, where it can decrypt them. */
function pendingPage(context: Context, query: PendingInput): Promise<PageInfo & { pending: HeldPayment[] }> {
  const include = context.isViewOnly ? ({ include: "encrypted" } as const) : {};
  return callAsOwner(context, "GET", pendingPath({ ...query, ...include }));
}

/**
 * A held payment with its encrypted text beside its other fields, as the session API lists it.
 *
 * @throws HalcyonError `invalid_request` for one that was read without it
 */
export function withText(held: HeldPayment | SealedHeldPayment): SealedHeldPayment {
  if ("sealed" in held) return held;
  const { encrypted, ...plain } = held;
  if (encrypted) return { ...plain, ...encrypted };
  throw new HalcyonError("invalid_request", "This payment has no encrypted text. Read it with `include=encrypted`.");
}

/** The payments that await approval: what `approvals.list` does. */
export function pending(context: Context, input: PendingInput = {}): Paged<PendingList, OpenedHeldPayment> {
  const read = async ({ agent, startingAfter, ...page }: PendingInput): Promise<PendingList> => {
    const id = agent && (await findAgent(context, agent)).account_id;
    const query = { ...page, agent: id, starting_after: startingAfter };
    const list = await pendingPage(context, query);
    if (!context.hasWallet && !context.isViewOnly) return list;
    const { agents } = list.pending.length > 0 ? await namedAgents(context) : { agents: [] };
    const entries = list.pending.map((entry) => opened(context, withText(entry), agents));
    return { ...list, pending: await Promise.all(entries) };
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
export async function heldPayment(context: KeyContext, id: string): Promise<HeldPaymentDetails> {
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}`;
  return (await context.http.send("GET", path, { headers: context.bearer })).body as HeldPaymentDetails;
}

/** Drops a held payment; no money moves. */
export function reject(context: KeyContext, id: string, options?: CallOptions): Promise<DecidedPayment> {
  return callAsOwner<DecidedPayment>(context, "POST", `/transactions/${encodeURIComponent(id)}/reject`, {}, options);
}

/** Rejects all held payments: what `approvals.rejectAll` does. */
export async function rejectAll(context: Context, { agent }: { agent?: string } = {}): Promise<{ rejected: number }> {
  const named = agent === undefined ? undefined : (await findAgent(context, agent)).account_id;
  if (!context.hasWallet) return rejectEach(context, named);
  const session = await context.session();
  for (let rejected = 0; ; ) {
    const done = await session.post<{ rejected: number; has_more: boolean }>("/api/agents/transactions/reject", {
      agent: named,
    });
    rejected += done.rejected;
    // What someone else decides at this moment is not ours to wait for.
    if (!done.has_more || done.rejected === 0) return { rejected };
  }
}

/** With an API key, one by one: the contract has no other verb. */
export async function rejectEach(context: KeyContext, agent: string | undefined): Promise<{ rejected: number }> {
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
