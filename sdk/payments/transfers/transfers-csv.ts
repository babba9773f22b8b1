import { csvRecord } from "@/lib/base/csv/csv-record";
import type { Transfer } from "../../api/resources/transfers";
import type { DecryptedTransfer } from "./transfers";

/** A transfer as a flat row of an export. Null where there is no value or it can't be decrypted. */
export interface ExportedTransfer {
  transfer_id: string;
  created_at: string;
  confirmed_at: string | null;
  status: string;
  direction: string;
  kind: string | null;
  /** Handles without the @. */
  from_handle: string;
  from_address: string | null;
  to_handle: string;
  to_address: string | null;
  asset: string;
  amount: string | null;
  memo: string | null;
  confidential: boolean;
  tx_hash: string;
  api_key_id: string | null;
  reference: string | null;
  refund_of: string | null;
}

/**
 * The columns of the export, in the dashboard and on the command line. Times are ISO 8601 in UTC, amounts plain
 * decimals.
 */
export const TRANSFER_COLUMNS = [
  "transfer_id",
  "created_at",
  "confirmed_at",
  "status",
  "direction",
  "kind",
  "from_handle",
  "from_address",
  "to_handle",
  "to_address",
  "asset",
  "amount",
  "memo",
  "confidential",
  "tx_hash",
  "api_key_id",
  "reference",
  "refund_of",
] as const satisfies readonly (keyof ExportedTransfer)[];

const handleOf = (name: string | undefined) => (name?.startsWith("@") ? name.slice(1) : "");

/**
 * Converts a transfer to a row. For a transfer listed with an API key, the fields that only a wallet or viewing key can
 * decrypt are null.
 */
export function exportedTransfer(transfer: Omit<DecryptedTransfer, "unverified_names"> | Transfer): ExportedTransfer {
  const opened: Partial<DecryptedTransfer> = transfer;
  return {
    transfer_id: transfer.transfer_id,
    created_at: transfer.created_at,
    confirmed_at: transfer.confirmed_at ?? null,
    status: transfer.status,
    direction: transfer.direction,
    kind: opened.kind ?? null,
    from_handle: handleOf(transfer.from),
    from_address: opened.from_address ?? null,
    to_handle: handleOf(transfer.to),
    to_address: opened.to_address ?? null,
    asset: transfer.asset,
    amount: opened.amount ?? null,
    memo: opened.memo ?? null,
    confidential: transfer.confidential,
    tx_hash: transfer.tx_hash,
    api_key_id: opened.api_key_id ?? null,
    reference: transfer.reference,
    refund_of: transfer.refund_of,
  };
}

/** Returns the fields of a row in the order of the columns. */
export const transferFields = (row: ExportedTransfer) => TRANSFER_COLUMNS.map((column) => row[column]);

/** Formats transfers as CSV, in the given order. */
export function transfersCsv(rows: readonly ExportedTransfer[]): string {
  return [TRANSFER_COLUMNS, ...rows.map(transferFields)].map(csvRecord).join("");
}
