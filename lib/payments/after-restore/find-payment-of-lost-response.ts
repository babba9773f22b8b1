import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { assetBySymbol } from "@/lib/base/assets";
import type { Context, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { CreateTransferInput } from "@/lib/payments/schema";
import type { TransferView } from "@/lib/payments/transfer-view";
import {
  type LostIdempotencyKeys,
  lostIdempotencyKeys,
  requireNothingRebuilt,
  unknownKey,
  unlistedKey,
} from "./lost-idempotency-keys";
import { KEYS_COUNT_MS, type RebuiltPayment, readTags, taggedPayment } from "./read-tags";

/** What is known about a request that may have been served before the service was restored from a backup. */
interface Repeated {
  /** What it paid before the restore. */
  paid: TransferView | null;
  /** Runs in the transaction that serves it, because payments may have been rebuilt since. */
  check(tx: Tx): Promise<void>;
}

/**
 * Finds what an earlier request with the same `Idempotency-Key` has paid, if its stored response was lost because a
 * backup was restored. Uses the request's tag in the payer's on-chain copy, which the owner's client has submitted. A
 * key that has not paid can pay at once when the tags of all rebuilt payments are known.
 *
 * The amount is not compared with the first request's, because no row contains it.
 *
 * @throws ApiError `sync_required` while it is unknown whether the key has paid; `idempotency_mismatch` if it has
 *   made a different payment
 */
export async function findPaymentOfLostResponse(ctx: Context, input: CreateTransferInput): Promise<Repeated> {
  if (ctx.actor !== "key" || ctx.idempotencyKey === undefined) return { paid: null, check: async () => {} };
  const unknown = await lostIdempotencyKeys(db(), ctx);
  const paid = unknown && (await paidBefore(ctx, input, unknown));
  return { paid, check: (tx) => requireNothingRebuilt(tx, ctx, unknown, unknownKey) };
}

async function paidBefore(
  ctx: KeyContext,
  input: CreateTransferInput,
  unknown: LostIdempotencyKeys,
): Promise<TransferView | null> {
  const { until } = unknown;
  const { payments, isComplete } = await readTags(ctx).catch((error: unknown) => {
    // A key that wraps nothing can't read tags.
    throw error instanceof ApiError && error.code === "key_forbidden" ? unknownKey(until) : error;
  });
  const found = payments.filter((payment) => payment.isOfRequest || isDocument(payment, input.client_signed));
  const asked = found.filter((payment) => isAsAsked(ctx, input, payment));
  const [first, ...others] = asked;
  if (first && others.length === 0) return first.view;
  // Requests with other API keys of the account may have used the same idempotency key.
  if (first) throw unknownKey(until);
  if (found.length > 0) {
    throw new ApiError(
      "idempotency_mismatch",
      "This Idempotency-Key was used with another request. Use a fresh key for a different request.",
    );
  }
  if (await mayHaveUnlistedPayment(ctx, unknown)) throw unlistedKey(until);
  if (!isComplete) throw unknownKey(until);
  return null;
}

/** Identifies a client-signed payment by its document too, because its client may have given it any tag. */
function isDocument({ view }: RebuiltPayment, document: CreateTransferInput["client_signed"]): boolean {
  if (!document) return false;
  const knownBy = "note" in document ? document.note : document.payment_id;
  return taggedPayment(view).knownBy === knownBy && view.payerAddress === document.account;
}

/** Reports whether a payment is the one that a request asks for, as far as rows and chain show. */
function isAsAsked(
  ctx: KeyContext,
  input: CreateTransferInput,
  { view: { row, payerHandle }, isOfRequest }: RebuiltPayment,
): boolean {
  const { from = ctx.account.handle, asset, confidential } = input;
  // A refund without `to` names the payment that it returns.
  const to = input.to?.toLowerCase();
  return (
    (row.batchIndex === null || isOfRequest) &&
    payerHandle === from.replace(/^@/, "").toLowerCase() &&
    (to === undefined || row.to.toLowerCase() === to || row.recipientAddress === to) &&
    row.asset === assetBySymbol(ctx.chainId, asset).address &&
    (row.kind !== "release") === confidential
  );
}

/**
 * Reports whether a request may have made a payment for which there is no transfer, so that no tag can show it: after a
 * restore, one from an agent that the backup lacks and whose owner the ledger names, or from an account that the backup
 * lacks and that signed up again. An agent that was in the backup has paid from nowhere else; one that was registered
 * since may follow a lost one, whose program may repeat requests.
 */
async function mayHaveUnlistedPayment(
  { account, chainId }: KeyContext,
  { until }: LostIdempotencyKeys,
): Promise<boolean> {
  // The newest lost payment is this much older than the end, and the backup is older than that payment.
  const wasInBackup = account.createdAt.getTime() < until.getTime() - KEYS_COUNT_MS;
  if (account.type === "agent" && wasInBackup) return false;
  if (account.type !== "agent" && !wasInBackup) return true;
  const [row] = await db().execute<{ found: boolean }>(sql`
    select exists (
      select from ledger_accounts l join ledger_payments p on p.chain_id = l.chain_id and p.payer = l.address
      where l.chain_id = ${chainId} and l.owner = ${Buffer.from(account.rootAddress.slice(2), "hex")}
        and not exists (select from accounts a where a.address = l.address)) as found`);
  return row?.found === true;
}
