import type { Address } from "viem";
import type { spendPolicies } from "@/db/schema/agents";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { toLimitsResource, toRecipientLimitsResource } from "@/lib/policy/resource";
import { limitsFromStored, recipientLimitsFromStored } from "@/lib/policy/schema";
import { POLICY_ASSETS, type SpendPolicy } from "@/lib/policy/spend-policy";

type Row = typeof spendPolicies.$inferSelect;
type SetColumns = Pick<Row, "salt" | "version" | "resolved" | "anyRecipient" | "setBy">;
type PolicyColumns = Omit<Row, "id" | "holderId" | "chainId" | "updatedAt" | keyof SetColumns>;

/** The parameters, besides the policy itself, with which a policy is or will be set on the ledger. */
export interface PolicySetting {
  /** Hides what is on chain. Random for each `setPolicy`. */
  salt: Uint8Array;
  /** The ledger's policy version after this `setPolicy`. */
  version: bigint;
  /** The addresses that its recipients resolved to when it was signed. */
  resolved: readonly Address[] | "anyone";
  /** The operation that relays it to the ledger; null if there is none. */
  setBy: string | null;
}

/** Returns the policy that a row holds. */
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

/** Returns the columns that hold a policy. */
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

/** Returns the parameters with which the policy of a row is set on the ledger. */
export function settingOfRow({ salt, version, resolved, anyRecipient, setBy }: SetColumns): PolicySetting {
  return { salt: fromHex(salt), version, resolved: anyRecipient ? "anyone" : resolved, setBy };
}

/** Returns the columns that hold the parameters with which a policy is set on the ledger. */
export function rowOfSetting({ salt, version, resolved, setBy }: PolicySetting): SetColumns {
  const anyRecipient = resolved === "anyone";
  return { salt: toHex(salt), version, resolved: anyRecipient ? [] : [...resolved], anyRecipient, setBy };
}
