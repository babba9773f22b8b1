import type { ChainId } from "@/lib/base/network";
import type { TransferSummary } from "./transfer-view";

/** A transfer's columns in {@link SUMMARY_COLUMNS}. */
export interface SummaryRow {
  id: string;
  kind: TransferSummary["row"]["kind"];
  status: TransferSummary["row"]["status"];
  to_given: string;
  /** Hex without 0x, like `tx_hash`. */
  asset: string;
  tx_hash: string;
  /** In PostgreSQL's format. */
  created_at: string;
  confirmed_at: string | null;
  reference: string | null;
  refund_of: string | null;
  refund_checked: boolean | null;
  payment_request_id: string | null;
  payout_id: string | null;
  schedule_run_id: string | null;
  handle: string;
  /** Whether the side that asks sent it. */
  sent: boolean;
}

/**
 * The columns of {@link SummaryRow} except `sent`, of transfers `t` and their payers `p`. The database formats the hex,
 * because for a page the driver's buffers would cost more than everything else in its rows.
 */
export const SUMMARY_COLUMNS =
  "t.id, t.kind, t.status, t.to_given, encode(t.asset, 'hex') as asset, encode(t.tx_hash, 'hex') as tx_hash, " +
  "t.created_at, t.confirmed_at, t.reference, t.refund_of, t.refund_checked, t.payment_request_id, t.payout_id, " +
  "t.schedule_run_id, p.handle";

/** Converts a row to a transfer. */
export function toSummary(chainId: ChainId, row: SummaryRow): TransferSummary {
  return {
    row: {
      id: row.id,
      chainId,
      kind: row.kind,
      status: row.status,
      to: row.to_given,
      asset: `0x${row.asset}`,
      txHash: `0x${row.tx_hash}`,
      createdAt: row.created_at,
      confirmedAt: row.confirmed_at,
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
