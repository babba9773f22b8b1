import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { availableBalances } from "@/db/schema/ledger";

/** Makes a balance lock last an hour. It would end by itself after half a minute, which a busy machine may take. */
export async function keepLock(token: string): Promise<void> {
  await db()
    .update(availableBalances)
    .set({ lockUntil: new Date(Date.now() + 3_600_000) })
    .where(eq(availableBalances.lockToken, token));
}
