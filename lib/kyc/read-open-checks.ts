import { and, asc, eq, gt, inArray, lt } from "drizzle-orm";
import { db } from "@/db/client";
import { identityChecks } from "@/db/schema/identity";
import { log } from "@/lib/telemetry/log";
import { hostedProvider } from "./hosted-provider";
import { readCheck } from "./read-check";

const PAUSE_MS = 5 * 60_000;
const BATCH = 50;
const DAY_MS = 86_400_000;
/** Someone who has not gone on after so long has to come back: their next request reads the check. */
const ABANDONED_MS = 30 * DAY_MS;

/**
 * Reads checks that are open at the provider, those that were not read for longest first: a webhook can be lost.
 *
 * @returns after how many milliseconds to look again
 */
export async function readOpenChecks(now = new Date(), provider = hostedProvider("live")): Promise<number> {
  if (!provider) return PAUSE_MS;
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const due = await db()
    .select()
    .from(identityChecks)
    .where(
      and(
        eq(identityChecks.provider, provider.name),
        inArray(identityChecks.state, ["needs_input", "processing"]),
        lt(identityChecks.readAt, ago(PAUSE_MS)),
        gt(identityChecks.createdAt, ago(ABANDONED_MS)),
      ),
    )
    .orderBy(asc(identityChecks.readAt))
    .limit(BATCH);
  for (const { reference } of due) {
    // Noted before: checks that can't be read must not keep the others waiting.
    await db()
      .update(identityChecks)
      .set({ readAt: now })
      .where(and(eq(identityChecks.provider, provider.name), eq(identityChecks.reference, reference)));
    await readCheck(provider, reference).catch((err) => log().warn({ err }, "an identity check could not be read"));
  }
  return PAUSE_MS;
}
