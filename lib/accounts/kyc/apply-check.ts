import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { identityChecks } from "@/db/schema/identity";
import type { HostedCheck } from "./provider";

/** An identity check as it is stored. */
type StoredCheck = typeof identityChecks.$inferSelect;

/**
 * Stores what a provider reports about a check: its state and, if it is the account's newest check, the account's
 * status. Reports may arrive out of order, so a report about a check that is closed changes nothing.
 */
export async function applyCheck(
  { provider, reference, accountId, chainId }: Pick<StoredCheck, "provider" | "reference" | "accountId" | "chainId">,
  { state, status }: HostedCheck,
  now = new Date(),
): Promise<void> {
  await db().transaction(async (tx) => {
    const ofAccount = and(eq(identityChecks.accountId, accountId), eq(identityChecks.chainId, chainId));
    const checks = await tx
      .select()
      .from(identityChecks)
      .where(ofAccount)
      .orderBy(desc(identityChecks.createdAt))
      .for("update");
    const stored = checks.find((check) => check.provider === provider && check.reference === reference);
    if (!stored || stored.state === "verified" || stored.state === "canceled") return;
    await tx
      .update(identityChecks)
      .set({ state, readAt: now })
      .where(and(eq(identityChecks.provider, provider), eq(identityChecks.reference, reference)));
    if (stored !== checks[0]) return;
    await tx
      .insert(accountNetworks)
      .values({ accountId, chainId, kycStatus: status })
      .onConflictDoUpdate({
        target: [accountNetworks.accountId, accountNetworks.chainId],
        set: { kycStatus: sql`excluded.kyc_status` },
      });
  });
}
