import type { AuthorityDraft } from "@/lib/ledger/authority/authority-documents";
import { planSetPolicy } from "@/lib/ledger/authority/plan-set-policy";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import type { PolicyHolder } from "./party-at-latest";
import { documentOf } from "./policy-in-force";
import type { PolicySetting } from "./policy-row";

/** A policy that is to be set, and the parameters of its `setPolicy`. */
export interface NextPolicy {
  policy: SpendPolicy;
  paused: boolean;
  setting: Omit<PolicySetting, "setBy">;
  /** False to remove an account's policy. */
  limited?: boolean;
}

/**
 * Returns what has to be signed to set a holder's policy.
 *
 * @param deadline Unix time in seconds
 */
export function planPolicy(
  scope: Scope,
  holder: Pick<PolicyHolder, "address">,
  { policy, paused, setting, limited = true }: NextPolicy,
  deadline: bigint,
): AuthorityDraft<"set_policy"> {
  const document = documentOf(scope, holder, { policy, version: setting.version }, paused);
  return planSetPolicy(setting.salt, document, setting.resolved, deadline, limited).draft;
}
