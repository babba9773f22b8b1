import { sql } from "@/db/client";
import type { Context } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import type { TransferSummary } from "./transfer-view";

interface Row {
  id: string;
  kind: TransferSummary["row"]["kind"];
  status: TransferSummary["row"]["status"];
  to_given: string;
  asset: Buffer;
  tx_hash: Buffer;
  created_at: string;
  confirmed_at: string | null;
  reference: string | null;
  refund_of: string | null;
  refund_checked: boolean | null;
  payment_request_id: string | null;
  payout_id: string | null;
  schedule_run_id: string | null;
  handle: string;
  sent: boolean;
}

/**
 * One transfer of the account (or of its agents), as either side. Unknown, foreign, malformed and other networks' ids
 * look the same to everyone. Clients ask for this over and over: one statement the database has prepared.
 *
 * @throws not_found
 */
export async function getTransfer(ctx: Context, id: string): Promise<TransferSummary> {
  const row = isId("transfer", id) ? await findTransfer(ctx, id) : undefined;
  if (!row) throw new ApiError("not_found", "No transfer has this id. List your transfers to find it.");
  return {
    row: {
      id: row.id,
      chainId: ctx.chainId,
      kind: row.kind,
      status: row.status,
      to: row.to_given,
      asset: `0x${row.asset.toString("hex")}`,
      txHash: `0x${row.tx_hash.toString("hex")}`,
      createdAt: new Date(row.created_at),
      confirmedAt: row.confirmed_at === null ? null : new Date(row.confirmed_at),
      reference: row.reference,
      refundOf: row.refund_of,
      refundChecked: row.refund_checked,
      paymentRequestId: row.payment_request_id,
      payoutId: row.payout_id,
      scheduleRunId: row.schedule_run_id,
    },
    payerHandle: row.handle,
    direction: row.sent ? "sent" : "received",
  };
}

async function findTransfer({ account, chainId }: Context, id: string): Promise<Row | undefined> {
  // An account sees its agents' transfers too, an agent its own only.
  const [row] =
    account.type === "agent"
      ? await sql()<Row[]>`
          select t.id, t.kind, t.status, t.to_given, t.asset, t.tx_hash, t.created_at, t.confirmed_at,
            t.reference, t.refund_of, t.refund_checked, t.payment_request_id, t.payout_id, t.schedule_run_id, p.handle,
            t.payer_id = ${account.id} as sent
          from transfers t join accounts p on p.id = t.payer_id
          where t.id = ${id} and t.chain_id = ${chainId}
            and (t.payer_id = ${account.id} or t.recipient_id = ${account.id})`
      : await sql()<Row[]>`
          select t.id, t.kind, t.status, t.to_given, t.asset, t.tx_hash, t.created_at, t.confirmed_at,
            t.reference, t.refund_of, t.refund_checked, t.payment_request_id, t.payout_id, t.schedule_run_id, p.handle,
            t.payer_root_id = ${account.id} as sent
          from transfers t join accounts p on p.id = t.payer_id
          where t.id = ${id} and t.chain_id = ${chainId}
            and (t.payer_root_id = ${account.id} or t.recipient_root_id = ${account.id})`;
  return row;
}
