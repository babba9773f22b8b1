import type { Address } from "viem";
import type { spendPolicies } from "@/db/schema/agents";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import type { Kind } from "@/lib/policy/rule";
import { RULES, SERVICE } from "@/lib/policy/rules";
import { policyFrom, type SpendPolicy } from "@/lib/policy/spend-policy";

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

/** Kinds of rules that the table stores as the API writes them. */
const STORED_AS_SENT: readonly Kind[] = ["asset limits", "recipient limits"];

/** Rules without a column of their name. The compiler says so at {@link rowOfPolicy}. */
type Unstored = Exclude<keyof SpendPolicy, keyof PolicyColumns>;

/**
 * Returns the policy that a row holds.
 *
 * @throws Error for a value that was never stored
 */
export function policyOfRow(row: PolicyColumns): SpendPolicy {
  return policyFrom(({ name, field, read }) => {
    if (!STORED_AS_SENT.includes(SERVICE[field].kind)) return row[name];
    return read(row[name], (message) => {
      throw new Error(`a policy is stored with ${name} that can't be read: ${message}`);
    });
  });
}

/** Returns the columns that hold a policy. */
export function rowOfPolicy(policy: SpendPolicy): PolicyColumns & Record<Unstored, never> {
  const columns = RULES.map(({ name, field }) => {
    const { kind, write } = SERVICE[field];
    return [name, STORED_AS_SENT.includes(kind) ? write(policy) : policy[name]];
  });
  return Object.fromEntries(columns);
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
