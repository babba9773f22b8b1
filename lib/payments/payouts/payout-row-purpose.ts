import { and, eq, isNotNull, sql } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { ApiError } from "@/lib/base/errors";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import type { Purpose, PurposeRow } from "@/lib/payments/purpose";

/** A row of a payout. Its rows are locked by what pays them, and known by their notes. */
export const payoutRow: Purpose = {
  column: "payoutId",
  claimed: "after balances",
  named: (details) => details.payoutId,
  claim: async () => {},
  async record(tx, rows) {
    // The client that built a payment need not name the row.
    if (rows.some(({ clientSigned, payoutId }) => clientSigned || payoutId !== null)) await takePayoutRows(tx, rows);
    return undefined;
  },
  settle: followPayoutRows,
  reopen: reopenPayoutRows,
};

/**
 * Updates the payout rows of settled payments. A confirmed row is `paid`. A row that failed on its own is `failed`; one
 * whose batch failed is to be paid again, on its own. Then schedules a look at the payout.
 */
async function followPayoutRows(tx: Tx, settled: readonly PurposeRow[]): Promise<void> {
  const list = settled.filter(({ note, payoutId }) => note !== null && payoutId !== null);
  if (list.length === 0) return;
  const notes = sql.param(list.map(({ note }) => `\\x${note?.slice(2)}`));
  const ids = sql.param(list.map(({ id }) => id));
  const became = sql.param(
    list.map(({ status, batchIndex }) => {
      if (status === "confirmed") return "paid";
      return batchIndex === null ? "failed" : "pending";
    }),
  );
  // What the chain confirms is paid, whatever the row says. A failure counts only for the payment that the row waits
  // for.
  const followed = await tx.execute<{ payout_id: string; became: string }>(sql`
    update payout_rows r set status = v.became, transfer_id = case when v.became = 'pending' then null else v.id end,
      alone = r.alone or v.became = 'pending', error = case when v.became = 'failed' then 'transfer_failed' end
    from unnest(${notes}::text[]::bytea[], ${ids}::text[], ${became}::text[]) as v(note, id, became)
      join transfers t on t.id = v.id
    where r.note = v.note and r.payout_id = t.payout_id
      and (v.became = 'paid' or (r.transfer_id = v.id and r.status = 'sent'))
    returning r.payout_id, v.became`);
  const unpaid = followed.flatMap(({ payout_id, became }) => (became === "paid" ? [] : [payout_id]));
  if (unpaid.length > 0) await announceAgain(tx, unpaid);
  for (const payoutId of [...new Set(followed.map(({ payout_id }) => payout_id))].sort()) {
    await scheduleJob(tx, WATCH_PAYOUT, { key: payoutId, input: { payoutId } });
  }
}

/** A finished payout that was opened again now ends otherwise than was announced. */
async function announceAgain(tx: Tx, payoutIds: readonly string[]): Promise<void> {
  await tx
    .update(payouts)
    .set({ finishedAt: null })
    .where(and(anyOf(payouts.id, payoutIds), eq(payouts.status, "processing"), isNotNull(payouts.finishedAt)));
}

/**
 * Sets paid rows back to `sent`, because their confirmed payments are open again, and finished payouts to `processing`.
 * `finishedAt` stays: it shows that the payout was announced.
 */
async function reopenPayoutRows(tx: Tx, reopened: readonly PurposeRow[]): Promise<void> {
  const list = reopened.filter(({ payoutId }) => payoutId !== null);
  if (list.length === 0) return;
  const rows = await tx
    .update(payoutRows)
    .set({ status: "sent" })
    .where(
      and(
        anyOf(payoutRows.payoutId, new Set(list.flatMap(({ payoutId }) => payoutId ?? []))),
        eq(payoutRows.status, "paid"),
        anyOf(
          payoutRows.transferId,
          list.map(({ id }) => id),
        ),
      ),
    )
    .returning({ payoutId: payoutRows.payoutId });
  const ids = new Set(rows.map(({ payoutId }) => payoutId));
  if (ids.size === 0) return;
  await tx
    .update(payouts)
    .set({ status: "processing" })
    .where(and(anyOf(payouts.id, ids), eq(payouts.status, "finished")));
}

/**
 * Links payments, in their transaction, to the payout rows that they pay, and sets the payouts' ids. A row is
 * identified by its note, so a payment by the account's client need not name it.
 *
 * @throws ApiError `invalid_request` for a row that was cancelled in the meantime
 */
async function takePayoutRows(tx: Tx, payments: readonly PurposeRow[]): Promise<void> {
  const sent = payments.filter(({ note }) => note !== null);
  const [first] = sent;
  if (!first) return;
  const notes = sql.param(sent.map(({ note }) => `\\x${note?.slice(2)}`));
  const ids = sql.param(sent.map(({ id }) => id));
  const taken = await tx.execute<{ status: string; id: string; payout_id: string }>(sql`
    update payout_rows r set transfer_id = v.id, error = null,
      status = case when r.status = 'cancelled' then r.status else 'sent' end
    from unnest(${notes}::text[]::bytea[], ${ids}::text[]) as v(note, id), payouts p
    where r.note = v.note and r.status in ('pending', 'failed', 'cancelled') and p.id = r.payout_id
      and p.account_id = ${first.payerId} and p.chain_id = ${first.chainId}
    returning r.status, v.id, r.payout_id`);
  if (taken.some(({ status }) => status === "cancelled")) {
    throw new ApiError("invalid_request", "This payout was cancelled. Its rows that are not paid stay so.");
  }
  const payoutOf = new Map(taken.map(({ id, payout_id }) => [id, payout_id]));
  for (const payment of sent) {
    payment.payoutId = payoutOf.get(payment.id) ?? null;
  }
}
