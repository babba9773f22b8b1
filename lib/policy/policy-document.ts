import type { Address } from "viem";
import { NO_OPTIONAL_RULES, type PolicyDocument } from "@/lib/ledger/policy/policy-document";
import type { PolicyRef } from "@/lib/ledger/policy/policy-salts";
import { POLICY_ASSETS, type PolicyAsset } from "@/lib/policy/amount-limits";
import { isPattern } from "@/lib/policy/recipients";
import type { DocumentRules } from "@/lib/policy/rule";
import { RULES, SERVICE } from "@/lib/policy/rules";
import { policyFrom, type SpendPolicy } from "@/lib/policy/spend-policy";

/** Addresses on the document's chain of the assets that a policy can list. */
export type PolicyAssetAddresses = Readonly<Record<PolicyAsset, Address>>;

/**
 * Converts a policy to the document that the ledger stores. Policies with the same meaning give the same document:
 * order, case of addresses and repeated entries don't matter.
 */
export function documentOfPolicy(
  policy: SpendPolicy,
  paused: boolean,
  ref: PolicyRef,
  addresses: PolicyAssetAddresses,
): PolicyDocument {
  const none = () => ({ allowed: false, perPayment: 0n, daily: 0n, threshold: 0n });
  const rules: DocumentRules = {
    hours: { start: 0, end: 0 },
    zone: "",
    assets: { USDG: none(), ETH: none() },
    recipients: [],
    ...structuredClone(NO_OPTIONAL_RULES),
  };
  for (const rule of RULES) rule.encode(policy, rules);
  return {
    ...rules,
    scope: ref.scope,
    holder: ref.holder.toLowerCase() as Address,
    version: ref.version,
    paused,
    assets: POLICY_ASSETS.map((symbol) => {
      return { asset: addresses[symbol].toLowerCase() as Address, ...rules.assets[symbol] };
    }).sort((a, b) => (a.asset < b.asset ? -1 : 1)),
  };
}

/**
 * Converts a document back to the policy, and whether it is paused.
 *
 * @throws RangeError if the document lists other assets, or has rules that this version does not know
 */
export function policyOfDocument(
  document: PolicyDocument,
  addresses: PolicyAssetAddresses,
): { policy: SpendPolicy; paused: boolean } {
  const limitsIn = (symbol: PolicyAsset) => {
    const entry = document.assets.find(({ asset }) => asset === addresses[symbol].toLowerCase());
    if (!entry) throw new RangeError("a policy document names every asset of its network");
    return entry;
  };
  const assets = { USDG: limitsIn("USDG"), ETH: limitsIn("ETH") };
  if (document.assets.length !== POLICY_ASSETS.length) throw new RangeError("a policy document names no other assets");
  if (Object.keys(document.named).some((name) => !RULES.some(({ field }) => field === name))) {
    throw new RangeError("a policy document has no rules that this version does not know");
  }
  const policy = policyFrom(({ field }) => SERVICE[field].decode({ ...document, assets }));
  return { policy, paused: document.paused };
}

/**
 * Reports whether the ledger can't check the policy's recipients. That is so if the policy names some by pattern or
 * allows public payments, which go through one-time addresses.
 */
export function hasOpenRecipients({ allowedRecipients, publicPayments }: SpendPolicy): boolean {
  return publicPayments || allowedRecipients.some(isPattern);
}
