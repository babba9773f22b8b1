import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { secretRotated, secretVersionOf } from "@/lib/accounts/secret-version";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { findPayout, requireAccount } from "./find-payout";
import { type PayoutView, readPayout } from "./read-payout";
import type { AddRowsInput, DraftPayoutInput } from "./session-schema";
import { WORK_MS } from "./work-time";

/**
 * Creates a payout whose rows the owner's client encrypts and sends afterwards. Repeating the call changes nothing.
 *
 * @throws ApiError `available_balance_changed` when the account secret was rotated in the meantime; `kyc_required`
 *   (live network)
 */
export async function draftPayout(ctx: SessionContext, input: DraftPayoutInput): Promise<PayoutView> {
  requireAccount(ctx);
  const { chainId, account } = ctx;
  if (chainId === CHAIN_ID.live) await requireKyc(ctx);
  if ((await secretVersionOf(chainId, account)) !== input.secret_version) throw secretRotated();
  const now = new Date();
  await db()
    .insert(payouts)
    .values({
      id: input.payout_id,
      chainId,
      accountId: account.id,
      status: "draft",
      rows: input.rows,
      askedBy: "wallet",
      idempotencyKey: input.payout_id,
      fingerprint: "0x",
      sealedKey: input.sealed_key,
      secretVersion: input.secret_version,
      workingUntil: now,
      createdAt: now,
    })
    .onConflictDoNothing();
  return readPayout(ctx, input.payout_id);
}

/**
 * Stores rows of a draft. Rows that are already stored don't change. The last row completes the draft, and the payout
 * is accepted.
 *
 * @throws ApiError `not_found`; `invalid_request` for a row number beyond the payout's rows
 */
export async function addRows(ctx: SessionContext, id: string, { rows }: AddRowsInput): Promise<PayoutView> {
  const payout = await findPayout(ctx, id);
  const beyond = rows.findIndex(({ row }) => row > payout.rows);
  if (beyond >= 0) {
    throw new ApiError("invalid_request", "This payout has fewer rows. Begin another one.", {
      param: `rows.${beyond}.row`,
    });
  }
  if (payout.status !== "draft") return readPayout(ctx, id);
  const stored = rows.map((row) => ({ ...row, payoutId: id, status: "pending" as const, alone: false }));
  await db().transaction(async (tx) => {
    const now = new Date();
    const [draft] = await tx
      .select({ id: payouts.id })
      .from(payouts)
      .where(and(eq(payouts.id, id), eq(payouts.status, "draft")))
      .for("update");
    if (!draft) return;
    await tx.execute(sql`${insertRows(payoutRows, stored)} on conflict do nothing`);
    const counted = await tx.$count(payoutRows, eq(payoutRows.payoutId, id));
    if (counted < payout.rows) return;
    const workingUntil = new Date(now.getTime() + WORK_MS);
    await tx.update(payouts).set({ status: "processing", workingUntil }).where(eq(payouts.id, id));
    await scheduleJob(tx, WATCH_PAYOUT, { key: id, input: { payoutId: id }, at: workingUntil });
    const entry = { rootId: ctx.account.id, chainId: ctx.chainId, actor: actorOf(ctx), target: id };
    await appendAudit(tx, { ...entry, action: "payout.created", after: { rows: payout.rows } }, now);
  });
  return readPayout(ctx, id);
}
