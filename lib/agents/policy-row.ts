import type { spendPolicies } from "@/db/schema/agents";
import { toLimitsResource } from "@/lib/policy/resource";
import { limitsFromStored } from "@/lib/policy/schema";
import { POLICY_ASSETS, type SpendPolicy } from "@/lib/policy/spend-policy";

type Row = Omit<typeof spendPolicies.$inferSelect, "id" | "agentId" | "updatedAt">;

/** The policy that a row holds. */
export function policyOfRow(row: Row): SpendPolicy {
  return {
    dailyLimit: row.dailyLimit,
    perTransactionLimit: row.perTransactionLimit,
    hitlThreshold: row.hitlThreshold,
    allowedRecipients: row.allowedRecipients,
    assets: row.assets.flatMap((symbol) => POLICY_ASSETS.filter((known) => known === symbol)),
    activeHours: row.activeHours,
    timeZone: row.timeZone,
    limits: limitsFromStored(row.limits),
  };
}

/** The columns that hold a policy. */
export function rowOfPolicy({ allowedRecipients, assets, limits, ...policy }: SpendPolicy): Row {
  return {
    ...policy,
    allowedRecipients: [...allowedRecipients],
    assets: [...assets],
    limits: toLimitsResource(limits),
  };
}
