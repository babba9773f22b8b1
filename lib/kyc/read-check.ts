import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { identityChecks } from "@/db/schema/identity";
import { applyCheck } from "./apply-check";
import type { HostedKycProvider } from "./provider";

/**
 * Reads a check from its provider and keeps what it says. A webhook only says when: its content is not used, so one
 * that is old, repeated or out of order changes nothing. A check of another installation is none of ours.
 *
 * @throws ApiError `unavailable` while the provider does not respond: it sends the webhook again
 */
export async function readCheck(provider: HostedKycProvider, reference: string): Promise<void> {
  const [stored] = await db()
    .select()
    .from(identityChecks)
    .where(and(eq(identityChecks.provider, provider.name), eq(identityChecks.reference, reference)));
  if (!stored || stored.state === "verified" || stored.state === "canceled") return;
  await applyCheck(stored, await provider.read(reference));
}
