import type { Address } from "viem";
import type { PolicyDocument } from "@/lib/ledger/policy/policy-document";
import type { PolicyRef } from "@/lib/ledger/policy/policy-salts";
import { parseActiveHours } from "@/lib/policy/active-hours";
import { isPattern } from "@/lib/policy/recipients";
import { limitsOf, POLICY_ASSETS, type PolicyAsset, type SpendPolicy } from "@/lib/policy/spend-policy";

/** Addresses on the document's chain of the assets that a policy can list. */
export type PolicyAssetAddresses = Readonly<Record<PolicyAsset, Address>>;

/**
 * Converts a policy to the document that the ledger stores. Policies with the same meaning give the same document:
 * order, case of addresses and repeated entries don't matter.
 *
 * @throws RangeError if the policy's active hours are invalid
 */
export function documentOfPolicy(
  policy: SpendPolicy,
  paused: boolean,
  ref: PolicyRef,
  addresses: PolicyAssetAddresses,
): PolicyDocument {
  const hours = parseActiveHours(policy.activeHours);
  if (!hours) throw new RangeError("a policy's active hours are HH:MM-HH:MM");
  const assets = POLICY_ASSETS.map((symbol) => {
    const { daily, perTransaction, hitlThreshold } = limitsOf(policy, symbol);
    return {
      asset: addresses[symbol].toLowerCase() as Address,
      allowed: policy.assets.includes(symbol),
      perPayment: perTransaction,
      daily,
      threshold: hitlThreshold,
    };
  });
  return {
    scope: ref.scope,
    holder: ref.holder.toLowerCase() as Address,
    version: ref.version,
    paused,
    hours,
    zone: policy.timeZone,
    assets: assets.sort((a, b) => (a.asset < b.asset ? -1 : 1)),
    recipients: [...new Set(policy.allowedRecipients)].sort(),
    ...furtherRulesOf(policy),
  };
}

/** Returns the document's fields for the optional rules; empty if the policy has none of them. */
function furtherRulesOf(policy: SpendPolicy): Pick<PolicyDocument, "further" | "publicPayments"> {
  const { monthlyLimit: monthly, paymentsPerDay, recipientLimits } = policy;
  const publicly = policy.publicPayments ? { publicPayments: true as const } : {};
  if (monthly === null && paymentsPerDay === null && recipientLimits.length === 0) return publicly;
  const sorted = recipientLimits
    .map(({ recipient, perTransaction, monthly }) => ({ recipient, perPayment: perTransaction, monthly }))
    .sort((a, b) => (a.recipient < b.recipient ? -1 : 1));
  return { further: { monthly, paymentsPerDay, recipientLimits: sorted }, ...publicly };
}

/**
 * Converts a document back to the policy, and whether it is paused.
 *
 * @throws RangeError if the document lists other assets
 */
export function policyOfDocument(
  document: PolicyDocument,
  addresses: PolicyAssetAddresses,
): { policy: SpendPolicy; paused: boolean } {
  const found = POLICY_ASSETS.map((symbol) => {
    const entry = document.assets.find(({ asset }) => asset === addresses[symbol].toLowerCase());
    if (!entry) throw new RangeError("a policy document names every asset of its network");
    const limits = { daily: entry.daily, perTransaction: entry.perPayment, hitlThreshold: entry.threshold };
    return { symbol, allowed: entry.allowed, limits };
  });
  if (document.assets.length !== found.length) throw new RangeError("a policy document names no other assets");
  const limitsBySymbol = new Map(found.map(({ symbol, limits }) => [symbol, limits]));
  const [usdg, ETH] = [limitsBySymbol.get("USDG"), limitsBySymbol.get("ETH")];
  if (!usdg || !ETH) throw new RangeError("a policy document names every asset of its network");
  const clock = (minute: number) =>
    [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
  const policy = {
    dailyLimit: usdg.daily,
    perTransactionLimit: usdg.perTransaction,
    hitlThreshold: usdg.hitlThreshold,
    allowedRecipients: document.recipients,
    assets: found.filter(({ allowed }) => allowed).map(({ symbol }) => symbol),
    activeHours: `${clock(document.hours.start)}-${clock(document.hours.end)}`,
    timeZone: document.zone,
    limits: { ETH },
    monthlyLimit: document.further?.monthly ?? null,
    paymentsPerDay: document.further?.paymentsPerDay ?? null,
    recipientLimits: (document.further?.recipientLimits ?? []).map(({ recipient, perPayment, monthly }) => {
      return { recipient, perTransaction: perPayment, monthly };
    }),
    publicPayments: document.publicPayments ?? false,
  };
  return { policy, paused: document.paused };
}

/**
 * Reports whether the ledger can't check the policy's recipients. That is so if the policy names some by pattern or
 * allows public payments, which go through one-time addresses.
 */
export function hasOpenRecipients({ allowedRecipients, publicPayments }: SpendPolicy): boolean {
  return publicPayments || allowedRecipients.some(isPattern);
}
