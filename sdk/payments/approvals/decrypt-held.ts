import { type Address, isAddressEqual } from "viem";
import { formatAmount } from "@/lib/base/money";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { deriveAgentHalf, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { decryptHeld, type HeldPayment as HeldText, readHeld } from "@/lib/ledger/encrypted/held";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { findAgent, type NamedAgent, namedAgents } from "../../account/agents";
import type { HeldPaymentWithText } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { PageInfo } from "../../api/paged";
import type { HeldPayment } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import { type PendingInput, readWaitingPage } from "./held";
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

/** Throws the error for a text that can't be decrypted, and others as they are. */
export function notAsked(cause: unknown): never {
  throw cause instanceof DecryptionFailed ? notItsOwn(cause) : cause;
}

/** Returns the error for a text that is not the agent's. */
export function notItsOwn(cause?: DecryptionFailed): HalcyonError {
  const message = "This payment is not what your agent encrypted, so your agent did not create it. Reject it.";
  return new HalcyonError("transaction_not_found", message, { cause });
}

/** Returns the error for another text than the one that was shown. */
export function notShown(): HalcyonError {
  return new HalcyonError("transaction_not_found", "This payment is no longer the one you were shown. Reject it.");
}

/** A page of payments awaiting approval. */
export interface DecryptedPendingList extends PageInfo {
  pending: DecryptedHeldPayment[];
}

/** Returns the encrypted text from the input of `approvals.decrypt`. */
export function textOf(held: HeldPayment | HeldPaymentWithText): HeldPaymentWithText {
  return "secret_version" in held ? held : withText(held);
}

/** Reads a page of the payments that await approval, and decrypts it if it can. */
export async function pendingPage(
  context: Context,
  { agent, startingAfter, ...page }: PendingInput,
): Promise<DecryptedPendingList> {
  const id = agent && (await findAgent(context, agent)).account_id;
  const query = { ...page, agent: id, starting_after: startingAfter };
  if (!context.hasWallet && !context.isViewOnly) return readWaitingPage(context, query);
  const list = await readWaitingPage(context, { ...query, include: "encrypted" });
  const { agents } = list.pending.length > 0 ? await namedAgents(context) : { agents: [] };
  const entries = list.pending.map((entry) => opened(context, withText(entry), agents));
  return { ...list, pending: await Promise.all(entries) };
}

function unreadable(error: unknown): null {
  if (error instanceof DecryptionFailed) return null;
  throw error;
}
