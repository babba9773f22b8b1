import { and, asc, eq, gt, inArray, lt } from "drizzle-orm";
import { db } from "@/db/client";
import { identityChecks } from "@/db/schema/identity";
import { log } from "@/lib/base/telemetry/log";
import { fetchCheck } from "./fetch-check";
import { hostedProvider } from "./hosted-provider";

const PAUSE_MS = 5 * 60_000;
const BATCH = 50;
const DAY_MS = 86_400_000;
/** After this time without a result, a check is no longer polled. It is read again when the person comes back. */
const ABANDONED_MS = 30 * DAY_MS;

/**
 * Reads checks that are open at the provider, the ones not read for longest first, because webhooks can get lost.
 *
 * @returns after how many milliseconds to run again
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
    // Recorded before reading, so that checks that can't be read don't hold up the others.
    await db()
      .update(identityChecks)
      .set({ readAt: now })
      .where(and(eq(identityChecks.provider, provider.name), eq(identityChecks.reference, reference)));
    await fetchCheck(provider, reference).catch((err) => log().warn({ err }, "an identity check could not be read"));
  }
  return PAUSE_MS;
}
