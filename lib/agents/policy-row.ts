import type { Address } from "viem";
import type { spendPolicies } from "@/db/schema/agents";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { toLimitsResource, toRecipientLimitsResource } from "@/lib/policy/resource";
import { limitsFromStored, recipientLimitsFromStored } from "@/lib/policy/schema";
import { POLICY_ASSETS, type SpendPolicy } from "@/lib/policy/spend-policy";

type Row = typeof spendPolicies.$inferSelect;
type SetColumns = Pick<Row, "salt" | "version" | "resolved" | "anyRecipient" | "setBy">;
type PolicyColumns = Omit<Row, "id" | "holderId" | "chainId" | "updatedAt" | keyof SetColumns>;

/** How a policy stands on the ledger, or is to stand there: what its `setPolicy` was made of beside the policy. */
export interface PolicySetting {
  /** Hides what is on chain; drawn at each setting. */
  salt: Uint8Array;
  /** The ledger's policy version that it makes. */
  version: bigint;
  /** What its recipients stood for when it was signed. */
  resolved: readonly Address[] | "anyone";
  /** The operation that carries it to the ledger; null: none does. */
  setBy: string | null;
}

/** The policy that a row holds. */
export function policyOfRow(row: PolicyColumns): SpendPolicy {
  return {
    dailyLimit: row.dailyLimit,
    perTransactionLimit: row.perTransactionLimit,
    hitlThreshold: row.hitlThreshold,
    allowedRecipients: row.allowedRecipients,
    assets: row.assets.flatMap((symbol) => POLICY_ASSETS.filter((known) => known === symbol)),
    activeHours: row.activeHours,
    timeZone: row.timeZone,
    limits: limitsFromStored(row.limits),
    monthlyLimit: row.monthlyLimit,
    paymentsPerDay: row.paymentsPerDay,
    recipientLimits: recipientLimitsFromStored(row.recipientLimits),
    publicPayments: row.publicPayments,
  };
}

/** The columns that hold a policy. */
export function rowOfPolicy({
  allowedRecipients,
  assets,
  limits,
  recipientLimits,
  ...policy
}: SpendPolicy): PolicyColumns {
  return {
    ...policy,
    allowedRecipients: [...allowedRecipients],
    assets: [...assets],
    limits: toLimitsResource(limits),
    recipientLimits: toRecipientLimitsResource(recipientLimits),
  };
}

/** How the policy of a row stands on the ledger. */
export function settingOfRow({ salt, version, resolved, anyRecipient, setBy }: SetColumns): PolicySetting {
  return { salt: fromHex(salt), version, resolved: anyRecipient ? "anyone" : resolved, setBy };
}

/** The columns that hold how a policy stands on the ledger. */
export function rowOfSetting({ salt, version, resolved, setBy }: PolicySetting): SetColumns {
  const anyRecipient = resolved === "anyone";
  return { salt: toHex(salt), version, resolved: anyRecipient ? [] : [...resolved], anyRecipient, setBy };
}
