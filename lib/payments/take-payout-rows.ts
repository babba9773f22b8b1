import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { ApiError } from "@/lib/base/errors";
import type { TransferRow } from "./append-transfer-events";

type PaidNote = Pick<TransferRow, "id" | "chainId" | "payerId" | "note" | "payoutId">;

/**
 * Links payments, in their transaction, to the payout rows that they pay, and sets the payouts' ids. A row is
 * identified by its note, so a payment by the account's client need not name it.
 *
 * @throws ApiError `invalid_request` for a row that was cancelled in the meantime
 */
export async function takePayoutRows(tx: Tx, payments: readonly PaidNote[]): Promise<void> {
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
  for (const payment of sent) payment.payoutId = payoutOf.get(payment.id) ?? null;
}
