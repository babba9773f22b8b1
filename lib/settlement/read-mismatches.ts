import { sql } from "@/db/client";

/** How many payments of one chain differ from the chain in one way and are not repaired. */
interface MismatchCount {
  chain_id: number;
  mismatch: string;
  payments: number;
}

/** Counts the payments that differ from the chain (see reconcile-payments.ts), for metrics and the status page. */
export function readMismatches(): Promise<MismatchCount[]> {
  return sql()<MismatchCount[]>`
    select chain_id, mismatch, count(*)::int as payments from operations
    where mismatch is not null group by chain_id, mismatch`;
}
