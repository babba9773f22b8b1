import { log } from "./log";
import { count } from "./record";

/** The kinds of records in which tampering can be found. */
type TamperedRecord = "viewing_key" | "operation";

/**
 * Raises an alarm over a row that differs from what is signed, encrypted or on chain. Only a write that bypassed the
 * service explains that, so the caller must refuse to use the row.
 *
 * @param where identifies the row: ids, addresses and hashes, which are not secret
 */
export function reportTampering(record: TamperedRecord, where: Record<string, string | number>): void {
  count("halcyon.tampering", { record });
  log().error({ record, ...where }, "the database holds what the service did not write");
}
