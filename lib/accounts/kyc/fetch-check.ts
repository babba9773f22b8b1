import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { identityChecks } from "@/db/schema/identity";
import { applyCheck } from "./apply-check";
import type { HostedKycProvider } from "./provider";

/**
 * Reads a check from its provider and stores the result. A webhook is only the occasion to read: its content is not
 * used, so one that is old, repeated or out of order does no harm. Checks that this installation did not start are
 * ignored.
 *
 * @throws ApiError `unavailable` if the provider does not respond; it then sends the webhook again
 */
export async function fetchCheck(provider: HostedKycProvider, reference: string): Promise<void> {
  const [stored] = await db()
    .select()
    .from(identityChecks)
    .where(and(eq(identityChecks.provider, provider.name), eq(identityChecks.reference, reference)));
  if (!stored || stored.state === "verified" || stored.state === "canceled") return;
  await applyCheck(stored, await provider.read(reference));
}
