import { type Address, isAddressEqual } from "viem";
import { formatAmount } from "@/lib/base/money";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { deriveAgentHalf, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { decryptHeld, type HeldPayment as HeldText, readHeld } from "@/lib/ledger/encrypted/held";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { findAgent, type NamedAgent, namedAgents } from "../../account/agents";
import type { HeldPaymentWithText } from "../../api/api-types";
import type { CallOptions } from "../../api/call-options";
import { HalcyonError } from "../../api/errors";
import { only } from "../../api/only";
import { PAGE, type Paged, type PageInfo, type PageInput, paged } from "../../api/paged";
import type { DecidedPayment, HeldPaymentDetails, PendingList } from "../../api/resources/approvals";
import type { HeldPayment } from "../../api/resources/transfers";
import { callApi, keyFirst } from "../../context/call-api";
import type { Context } from "../../context/context";
import type { KeyContext } from "../../context/key-context";
import { withText } from "./with-text";

/**
 * A payment awaiting approval, including what only its owner can decrypt. Amount and memo are null if the encrypted
 * text can't be decrypted; the payment then can't be approved.
 */
export interface DecryptedHeldPayment extends HeldPayment {
  asset?: string;
  amount?: string | null;
  memo?: string | null;
}

/** The fields of a payment awaiting approval that are needed to decrypt it. */
export type EncryptedHeldText = Pick<HeldPaymentWithText, "transaction_id" | "asset" | "ciphertext">;

/** Decrypts a payment awaiting approval for reading: with the wallet like an approval does, or with the viewing key. */
export async function readHeldPayment(context: Context, entry: EncryptedHeldText, address: Address): Promise<HeldText> {
  const key = context.heldReader;
  if (!key) return decryptHeldText(context, entry, address);
  const [scope, asset] = await Promise.all([context.scope(), context.asset(entry.asset), context.viewer()]);
  const place = { id: entry.transaction_id, agent: lowerCase(address), asset: asset.address };
  return readHeld(key, scope, place, fromHex(entry.ciphertext));
}

/**
 * Decrypts what the agent with an address asked for, from the encrypted text alone.
 *
 * @throws DecryptionFailed also when another agent, or someone without permission, wrote it
 */
export async function decryptHeldText(context: Context, entry: EncryptedHeldText, address: Address): Promise<HeldText> {
  const [scope, vault, asset] = await Promise.all([context.scope(), context.vault(), context.asset(entry.asset)]);
  const agent = lowerCase(address);
  const place = { id: entry.transaction_id, agent, asset: asset.address };
  // A key of an account under its own policy also asks for approval, on behalf of the account itself.
  const own = isAddressEqual(agent, context.wallet.address);
  const secret = own ? vault.secret : deriveAgentHalf(vault.secret, agent, scope);
  return decryptHeld(deriveHeldKey(vault.secret, scope).secret, secret, scope, place, fromHex(entry.ciphertext));
}

/** Returns the address that asked: an agent, or the account itself, whose handle has no slash. */
export async function askerOf(
  context: Context,
  handle: string,
  agents: readonly NamedAgent[],
): Promise<Address | undefined> {
  const agent = agents.find((one) => one.handle === handle);
  return agent || handle.includes("/") ? agent?.public_key : (await context.viewer()).account;
}

async function opened(
  context: Context,
  entry: HeldPaymentWithText,
  agents: NamedAgent[],
): Promise<DecryptedHeldPayment> {
  const { transaction_id, status, agent, to, asset, confidential, requested_at, expires_at } = entry;
  const { reference, refund_of, payment_request } = entry;
  const address = await askerOf(context, agent, agents);
  const text = address ? await readHeldPayment(context, entry, address).catch(unreadable) : null;
  // Show the recipient as the agent named it. Only an approval checks that it still resolves to the same address.
  const { decimals } = await context.asset(asset);
  const amount = text && formatAmount(text.amount, decimals);
  const said = { reference, refund_of, payment_request };
  const memo = text?.memo ?? null;
  const isHidden = text ? text.kind !== "release" : confidential;
  return {
    transaction_id,
    status,
    agent,
    to,
    asset,
    confidential: isHidden,
    amount,
    memo,
    requested_at,
    expires_at,
    ...said,
  };
}

/** Filters for a list of payments awaiting approval, and its paging. */
export interface PendingInput extends PageInput {
  /** Only payments with exactly this reference. */
  reference?: string | undefined;
  /** Name or handle of one agent. Default: all agents. */
  agent?: string | undefined;
}

/** The fields of {@link PendingInput}. */
export const PENDING = { ...PAGE, reference: "text", agent: "text" } as const;

/** {@link PendingInput} in the API's form. */
export type PendingQuery = Omit<PendingInput, "startingAfter"> & { starting_after?: string | undefined };

/** A page of payments awaiting approval. */
export interface DecryptedPendingList extends PageInfo {
  pending: DecryptedHeldPayment[];
}

/** Reads a page with the caller's credential. */
export function readWaitingPage(
  context: KeyContext,
  query: PendingQuery & { include?: "encrypted" | undefined },
): Promise<PendingList> {
  return callApi<PendingList>(context, "GET", "/v1/agents/transactions/pending", { query: { ...query } });
}

/** Returns the encrypted text from the input of `approvals.decrypt`. */
export function textOf(held: HeldPayment | HeldPaymentWithText): HeldPaymentWithText {
  return "secret_version" in held ? held : withText(held);
}

/** Lists the payments that await approval. Implements `approvals.list`. */
export function pending(context: Context, input: PendingInput = {}): Paged<DecryptedPendingList, DecryptedHeldPayment> {
  const read = async ({ agent, startingAfter, ...page }: PendingInput): Promise<DecryptedPendingList> => {
    const id = agent && (await findAgent(context, agent)).account_id;
    const query = { ...page, agent: id, starting_after: startingAfter };
    if (!context.hasWallet && !context.isViewOnly) return readWaitingPage(context, query);
    const list = await readWaitingPage(context, { ...query, include: "encrypted" });
    const { agents } = list.pending.length > 0 ? await namedAgents(context) : { agents: [] };
    const entries = list.pending.map((entry) => opened(context, withText(entry), agents));
    return { ...list, pending: await Promise.all(entries) };
  };
  return paged({ read, entries: (list) => list.pending, id: ({ transaction_id }) => transaction_id }, input);
}

function unreadable(error: unknown): null {
  if (error instanceof DecryptionFailed) return null;
  throw error;
}

/**
 * Returns one payment awaiting approval and its outcome, without its amount. An agent's key sees only the agent's own
 * payments.
 *
 * @throws HalcyonError `transaction_not_found`
 */
export function heldPayment(context: KeyContext, id: string): Promise<HeldPaymentDetails> {
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}` as const;
  return only("transaction_id", id, callApi<HeldPaymentDetails>(context, "GET", path, { by: keyFirst(context) }));
}

/** Rejects a payment awaiting approval. No money moves. */
export function reject(context: KeyContext, id: string, options?: CallOptions): Promise<DecidedPayment> {
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}/reject` as const;
  const asked = callApi<DecidedPayment>(context, "POST", path, { json: {}, idempotencyKey: options?.idempotencyKey });
  return only("transaction_id", id, asked, true);
}

/** Rejects all payments awaiting approval. Implements `approvals.rejectAll`. */
export async function rejectAll(context: Context, { agent }: { agent?: string } = {}): Promise<{ rejected: number }> {
  const named = agent === undefined ? undefined : (await findAgent(context, agent)).account_id;
  if (!context.hasWallet) return rejectEach(context, named);
  const session = await context.session();
  for (let rejected = 0; ; ) {
    const done = await session.post<{ rejected: number; has_more: boolean }>("/api/agents/transactions/reject", {
      agent: named,
    });
    rejected += done.rejected;
    // Stop when nothing is left to reject: what others are deciding right now doesn't concern this call.
    if (!done.has_more || done.rejected === 0) return { rejected };
  }
}

/** With an API key, rejects one by one: the API has no call for all of them. */
export async function rejectEach(context: KeyContext, agent: string | undefined): Promise<{ rejected: number }> {
  for (let rejected = 0; ; ) {
    const page = await readWaitingPage(context, { limit: 100, agent });
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
