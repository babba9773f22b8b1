import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { fromNow } from "@/db/from-now";
import { insertRows } from "@/db/insert-rows";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { secretRotated, secretVersionOf } from "@/lib/accounts/secret-version";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { type AskedPayout, findAsked, otherPayout } from "./accept-payout";
import { findPayout, noSuchPayout, type Payout, requireAccount } from "./find-payout";
import { countRows, type PayoutView, readPayout } from "./read-payout";
import type { AddRowsInput, EncryptedPayoutInput } from "./schema";
import { WORK_MS } from "./work-time";

/**
 * Creates a payout whose rows the client encrypts and sends afterwards. Repeating the call changes nothing: it returns
 * the payout with this id or, with a blind key, with this `Idempotency-Key`, whose id may then be another.
 *
 * @throws ApiError `available_balance_changed` when the account secret was rotated in the meantime; `kyc_required`
 *   (live network); with a blind key, `idempotency_mismatch`
 */
export async function draftPayout(
  ctx: Context,
  input: EncryptedPayoutInput,
  { idempotencyKey }: Pick<AskedPayout, "idempotencyKey">,
): Promise<PayoutView> {
  requireAccount(ctx);
  const { chainId, account } = ctx;
  if (chainId === CHAIN_ID.live) await requireKyc(ctx);
  if ((await secretVersionOf(chainId, account)) !== input.secret_version) throw secretRotated();
  const now = new Date();
  const isBlind = ctx.actor === "key" && ctx.blind !== undefined;
  const fingerprint = input.fingerprint ?? "0x";
  const asked = isBlind
    ? { askedBy: ctx.keyId, idempotencyKey, fingerprint }
    : { askedBy: "wallet", idempotencyKey: input.payout_id, fingerprint: "0x" as const };
  await db()
    .insert(payouts)
    .values({
      id: input.payout_id,
      chainId,
      accountId: account.id,
      status: "draft",
      rows: input.rows,
      ...asked,
      encryptedKey: input.encrypted_key,
      secretVersion: input.secret_version,
      workingUntil: now,
      createdAt: now,
    })
    .onConflictDoNothing();
  if (!isBlind) return readPayout(ctx, input.payout_id);
  const payout = await findAsked(ctx, idempotencyKey);
  if (!payout) throw noSuchPayout();
  if (payout.fingerprint !== fingerprint) throw otherPayout();
  return readPayout(ctx, payout.id);
}

/**
 * Stores rows of a draft. Rows that are already stored don't change. The last row completes the draft, and the payout
 * is accepted.
 *
 * @param beforeCommit completes the caller's `Idempotency-Key`
 * @throws ApiError `not_found`; `invalid_request` for a row number beyond the payout's rows
 */
export async function addRows(
  ctx: Context,
  id: string,
  { rows }: AddRowsInput,
  beforeCommit: BeforeCommit<PayoutView> = async () => {},
): Promise<PayoutView> {
  const found = await findPayout(ctx, id);
  const beyond = rows.findIndex(({ row }) => row > found.rows);
  if (beyond >= 0) {
    throw new ApiError("invalid_request", "This payout has fewer rows. Begin another one.", {
      param: `rows.${beyond}.row`,
    });
  }
  const stored = rows.map(({ ciphertext, ...row }) => ({
    ...row,
    ...{ payoutId: id, encrypted: ciphertext, status: "pending" as const, alone: false },
  }));
  return db().transaction(async (tx) => {
    const [locked] = await tx.select().from(payouts).where(eq(payouts.id, id)).for("update");
    // It was deleted in the meantime.
    if (!locked) throw noSuchPayout();
    if (locked.status === "draft") await tx.execute(sql`${insertRows(payoutRows, stored)} on conflict do nothing`);
    const counts = (await countRows([id], tx)).get(id);
    if (!counts) throw new Error("the rows of a payout were not counted");
    const isWhole = Object.values(counts).reduce((sum, rows) => sum + rows) === locked.rows;
    const payout = locked.status === "draft" && isWhole ? await accept(tx, ctx, locked) : locked;
    const view = { payout, counts };
    await beforeCommit(tx, view);
    return view;
  });
}

async function accept(tx: Tx, ctx: Context, draft: Payout): Promise<Payout> {
  const { id, rows } = draft;
  const now = new Date();
  const [accepted] = await tx
    .update(payouts)
    .set({ status: "processing", workingUntil: fromNow(WORK_MS) })
    .where(eq(payouts.id, id))
    .returning();
  if (!accepted) throw noSuchPayout();
  await scheduleJob(tx, WATCH_PAYOUT, { key: id, input: { payoutId: id }, at: accepted.workingUntil });
  const entry = { rootId: ctx.account.id, chainId: ctx.chainId, actor: actorOf(ctx), target: id };
  await appendAudit(tx, { ...entry, action: "payout.created", after: { rows } }, now);
  return accepted;
}
