import { log } from "./log";
import { count } from "./record";

/** What was found to be written by someone else: the kind of record, a short list. */
type TamperedRecord = "viewing_key" | "operation";

/**
 * Raises the alarm over a row that differs from what is signed, encrypted or on chain. Nothing but a write past the
 * service explains that: the caller refuses to use it.
 *
 * @param where which row: ids, addresses and hashes, which are no secrets
 */
export function reportTampering(record: TamperedRecord, where: Record<string, string | number>): void {
  count("halcyon.tampering", { record });
  log().error({ record, ...where }, "the database holds what the service did not write");
}
