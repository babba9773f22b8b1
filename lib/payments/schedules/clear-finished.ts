import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/**
 * Deletes the text of finished schedules that pay nothing any more: no date is left, and each run is paid or was
 * skipped. A run that was missed can still be paid late, so it keeps the text until its owner decides. The day after
 * the last change leaves time for a request that is repeated, and for a chain that takes blocks back.
 */
export async function clearFinished(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 86_400_000).toISOString();
  await tx.execute(sql`
    update schedules s set encrypted = ''
    where s.status = 'finished' and s.encrypted <> '' and s.updated_at < ${before} and not exists (
      select from schedule_runs r where r.schedule_id = s.id
        and (r.status in ('planned', 'due', 'paying', 'missed') or r.paid_at >= ${before}))`);
}
