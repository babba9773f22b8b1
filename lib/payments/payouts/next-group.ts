import { and, asc, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { payoutRows } from "@/db/schema/payouts";

export type PayoutRowRecord = typeof payoutRows.$inferSelect;

/** Returns all rows of the first batch that has a pending row, in their order. Returns none when no row is pending. */
export async function nextGroup(payoutId: string): Promise<PayoutRowRecord[]> {
  const [next] = await db()
    .select({ batch: payoutRows.batch })
    .from(payoutRows)
    // The status is a literal, not a parameter, so that the partial index serves the query.
    .where(and(eq(payoutRows.payoutId, payoutId), sql`${payoutRows.status} = 'pending'`))
    .orderBy(asc(payoutRows.batch))
    .limit(1);
  if (!next) return [];
  return db()
    .select()
    .from(payoutRows)
    .where(and(eq(payoutRows.payoutId, payoutId), eq(payoutRows.batch, next.batch)))
    .orderBy(asc(payoutRows.place));
}
