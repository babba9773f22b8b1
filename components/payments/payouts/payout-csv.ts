import type { ShownPayoutRow } from "@/components/vault/methods/payouts";
import { csvRecord } from "@/lib/base/csv/csv-record";

const COLUMNS = ["row", "to", "amount", "asset", "memo", "reference", "status", "transfer_id", "error"] as const;

/** Returns a payout's rows and their outcome as CSV. No cell can act as a formula. */
export function payoutCsv(rows: readonly ShownPayoutRow[]): string {
  const records = rows.map((one) => [
    one.row,
    one.to,
    one.amount,
    one.asset,
    one.memo,
    one.reference,
    one.status,
    one.transferId,
    one.error,
  ]);
  return [COLUMNS, ...records].map(csvRecord).join("");
}
