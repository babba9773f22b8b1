import { and, eq, gt, isNotNull, isNull, or } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import type { ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { rulesForPlainKeys } from "@/lib/policy/plain-rules";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/**
 * Refuses a policy with a rule that the service decides by amounts while a blind key pays under it. Call it under the
 * lock that a new key of the holder waits for.
 *
 * @throws ApiError `invalid_policy` naming rule and key
 */
export async function refuseForBlindKeys(
  tx: Tx,
  chainId: ChainId,
  holder: Pick<ContextAccount, "id" | "type">,
  policy: SpendPolicy,
): Promise<void> {
  const [rule] = rulesForPlainKeys(policy);
  if (!rule) return;
  const own =
    holder.type === "agent"
      ? eq(apiKeys.agentId, holder.id)
      : and(eq(apiKeys.accountId, holder.id), eq(apiKeys.chainId, chainId), isNull(apiKeys.agentId));
  const isValid = and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date())));
  const [key] = await tx
    .select({ id: apiKeys.id, label: apiKeys.label })
    .from(apiKeys)
    .where(and(own, isNotNull(apiKeys.requestKey), isValid))
    .limit(1);
  if (!key) return;
  throw new ApiError(
    "invalid_policy",
    `The service decides ${rule} by amounts, and sees none of the blind key “${key.label}” (${key.id}). Revoke that key, or leave the rule out.`,
    { param: rule },
  );
}
