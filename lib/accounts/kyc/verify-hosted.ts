import { and, desc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { identityChecks } from "@/db/schema/identity";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { applyCheck } from "./apply-check";
import { kycStatusOf } from "./kyc-status-of";
import type { HostedCheck, HostedKycProvider, Verification } from "./provider";

/**
 * Continues the account's identity check at the provider, or starts one. Two concurrent requests start only one check,
 * because they send the same idempotency key. If the account is already verified, no check is started.
 *
 * @throws ApiError `unavailable` if the provider does not respond
 */
export async function verifyHosted(ctx: SessionContext, provider: HostedKycProvider): Promise<Verification> {
  const { chainId, account } = ctx;
  const status = await kycStatusOf(account.id, chainId);
  if (status === "verified" || status === "enhanced") return { status };
  const checks = await db()
    .select()
    .from(identityChecks)
    .where(and(eq(identityChecks.accountId, account.id), eq(identityChecks.chainId, chainId)))
    .orderBy(desc(identityChecks.createdAt));
  const [newest] = checks;
  if (newest && newest.state !== "canceled") {
    const found = await provider.read(newest.reference);
    await applyCheck(newest, found);
    if (found.state !== "canceled") return toVerification(found);
  }
  const started = await provider.start({
    accountId: account.id,
    idempotencyKey: `${account.id}:${chainId}:${checks.length}`,
    returnUrl: `${env().origin}/${ctx.network}/settings?identity=returned`,
  });
  const check = { provider: provider.name, reference: started.reference, accountId: account.id, chainId };
  const now = new Date();
  await db()
    .insert(identityChecks)
    .values({ ...check, state: started.state, createdAt: now, readAt: now })
    .onConflictDoNothing();
  await applyCheck(check, started, now);
  return toVerification(started);
}

function toVerification({ status, url }: HostedCheck): Verification {
  return { status, ...(url === undefined ? {} : { url }) };
}
