import { sql } from "@/db/client";

/** Payments of one chain that differ from it in one way and are not repaired. */
interface MismatchCount {
  chain_id: number;
  mismatch: string;
  payments: number;
}

/** Counts the payments that differ from the chain (see reconcile.ts): metric and status are made of it. */
export function readMismatches(): Promise<MismatchCount[]> {
  return sql()<MismatchCount[]>`
    select chain_id, mismatch, count(*)::int as payments from operations
    where mismatch is not null group by chain_id, mismatch`;
}
