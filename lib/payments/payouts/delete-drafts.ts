import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** How long a client may take to send the rows of a payout, in days. */
const DRAFT_DAYS = 7;

/**
 * Deletes payouts whose rows never all came, with their keys. No list shows them, and no event announced them. Their
 * client may begin them again. Our clients pay nothing of a draft; one of which something was paid stays.
 */
export async function deleteDrafts(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DRAFT_DAYS * 86_400_000).toISOString();
  await tx.execute(sql`
    with old as materialized (
      select p.id from payouts p
      where p.status = 'draft' and p.created_at < ${before}
        and not exists (select from payout_rows r where r.payout_id = p.id and r.status <> 'pending')
      for update of p skip locked),
    emptied as (delete from payout_rows r using old where r.payout_id = old.id)
    delete from payouts p using old where p.id = old.id`);
}
