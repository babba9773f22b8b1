import { and, eq, gt } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { anyOf } from "@/db/any-of";
import { db } from "@/db/client";
import { rebuiltPayments, transfers } from "@/db/schema/transfers";
import type { KeyContext } from "@/lib/base/context/context";
import { scopeOf } from "@/lib/chain/scope-of";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentHalf } from "@/lib/ledger/crypto/keys";
import { requestTag, type TaggedPayment, tagVoucher, tagVoucherKey } from "@/lib/ledger/crypto/request-tag";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { joinPayer, payers, type TransferView, viewColumns } from "@/lib/payments/transfer-view";

/** How long a request's idempotency key is valid, and with it the tag of what it has paid. */
export const KEYS_COUNT_MS = 24 * 3_600_000;

/** A rebuilt payment. */
export interface RebuiltPayment {
  view: TransferView;
  /** Null if the owner's client has not vouched for one. */
  tag: Uint8Array | null;
  /** Whether the current request made it. */
  isOfRequest: boolean;
}

/** The rebuilt payments that requests with one API key may have made. */
interface RebuiltPayments {
  payments: RebuiltPayment[];
  /** Whether each of them has its tag. If so, a request whose tag is not among them has paid nothing. */
  isComplete: boolean;
}

/** Returns what identifies a payment on the ledger. Also used by lists and by submitting tags. */
export function taggedPayment({ row, payerAddress }: Pick<TransferView, "row" | "payerAddress">): TaggedPayment {
  const knownBy = row.note ?? row.paymentId;
  if (!knownBy) throw new Error("a payment without a note and without a payment id");
  return { payer: payerAddress, asset: row.asset, knownBy, newCommitment: row.newCommitment };
}

/** The condition for rebuilt payments of an account and its agents that were made after a time. */
export function rebuiltOf(rootId: string, chainId: number, since: Date) {
  return and(
    eq(rebuiltPayments.rootId, rootId),
    eq(rebuiltPayments.chainId, chainId),
    gt(rebuiltPayments.paidAt, since),
  );
}

/**
 * Reads the rebuilt payments of a key's account and its agents, or of its single agent, with the tags that the payer's
 * secret vouches for. Other tags are deleted, so that the owner's client submits them again.
 *
 * @param since leaves out earlier payments; default: the time for which idempotency keys are valid
 * @throws ApiError `key_forbidden` for a key that wraps nothing
 */
export async function readTags(
  ctx: KeyContext,
  since = new Date(Date.now() - KEYS_COUNT_MS),
): Promise<RebuiltPayments> {
  const { account, chainId, idempotencyKey } = ctx;
  const [scope, rows] = await Promise.all([
    scopeOf(chainId),
    db()
      .select({ ...viewColumns, tag: rebuiltPayments.tag, voucher: rebuiltPayments.voucher })
      .from(rebuiltPayments)
      .innerJoin(transfers, eq(transfers.id, rebuiltPayments.transferId))
      .innerJoin(payers, joinPayer)
      .where(
        and(
          rebuiltOf(account.rootId, chainId, since),
          account.type === "agent" ? eq(transfers.payerId, account.id) : undefined,
        ),
      ),
  ]);
  const { secret, authority } = await ctx.unwrap();
  authority.fill(0);
  try {
    const payersKeys = keysOf(scope, account.address, secret, idempotencyKey);
    const payments = rows.map(({ tag: handedOver, voucher, ...view }) => {
      const { voucherKey, ofRequest } = payersKeys(view.payerAddress);
      const tag = vouchedFor(voucherKey, taggedPayment(view), handedOver, voucher);
      const isOfRequest = tag !== null && ofRequest !== null && equalBytes(tag, ofRequest);
      return { view: { ...view, direction: "sent" as const }, tag, isOfRequest };
    });
    await forget(payments.flatMap(({ view, tag }, index) => (tag || !rows[index]?.tag ? [] : [view.row.id])));
    return { payments, isComplete: payments.every(({ tag }) => tag !== null) };
  } finally {
    secret.fill(0);
  }
}

/** Returns a function that derives the keys for checking a payer's tags, once per payer. */
function keysOf(scope: Scope, own: Address, secret: Uint8Array, idempotencyKey: string | undefined) {
  const known = new Map<Address, { voucherKey: Uint8Array; ofRequest: Uint8Array | null }>();
  return (payer: Address) => {
    const found = known.get(payer);
    if (found) return found;
    const payerSecret = payer === own ? secret : deriveAgentHalf(secret, payer, scope);
    // The tag is derived from what the key wraps, even for a payment from an agent by its owner's key.
    const ofRequest = idempotencyKey === undefined ? null : requestTag(secret, scope, payer, idempotencyKey);
    const fresh = { voucherKey: tagVoucherKey(payerSecret, scope), ofRequest };
    known.set(payer, fresh);
    return fresh;
  };
}

function vouchedFor(key: Uint8Array, payment: TaggedPayment, tag: Hex | null, voucher: Hex | null): Uint8Array | null {
  if (tag === null || voucher === null) return null;
  const bytes = fromHex(tag);
  return equalBytes(fromHex(voucher), tagVoucher(key, payment, bytes)) ? bytes : null;
}

async function forget(ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db().update(rebuiltPayments).set({ tag: null, voucher: null }).where(anyOf(rebuiltPayments.transferId, ids));
}
