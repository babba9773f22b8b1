import { decimalsOf } from "@/components/money/decimals-of";
import { formatAmount } from "@/lib/base/money";
import type { PolicyAsset } from "@/lib/policy/amount-limits";
import { grouped } from "@/lib/policy/number-words";
import { parseLimit } from "@/lib/policy/read-limit";
import { allowsRecipient, isPattern, normaliseRecipient } from "@/lib/policy/recipients";
import { SERVICE } from "@/lib/policy/rules";
import { type LimitTexts, OPTIONAL_FIELDS, type PolicyDraft, type RecipientLimitTexts } from "./draft";

/**
 * Messages about limits of a draft that contradict each other, by the field's path in the API's body, as in {@link
 * checkDraft}. The service accepts such a policy, but one of the limits has no effect. Invalid fields are left out.
 */
export type Contradictions = Readonly<Record<string, string>>;

type Found = Record<string, string>;

/** Days of the longest month. */
const DAYS = 31n;

const written = (units: bigint, asset: PolicyAsset) => `${grouped(formatAmount(units, decimalsOf(asset)))} ${asset}`;

/** Returns the contradictions of a draft. */
export function contradictionsIn(draft: PolicyDraft): Contradictions {
  const found: Found = {};
  const { assets, usdg, eth } = draft;
  if (assets.includes("USDG")) {
    const month = parseLimit(draft.optional.monthly_limit_usdg, 6);
    const USDG_FIELDS = ["daily_limit_usdg", "per_transaction_limit_usdg", "hitl_threshold_usdg"] as const;
    ofLimits(found, "USDG", usdg, USDG_FIELDS, month);
    ofMonth(found, parseLimit(usdg.daily, 6), month);
    draft.recipient_limits.forEach((limit, index) => {
      ofRecipient(found, `recipient_limits.${index}`, limit, draft);
    });
  } else if (assets.length > 0) found.assets = "Limits in USDG have no effect while it may not spend USDG.";
  if (assets.includes("ETH") && eth) {
    ofLimits(found, "ETH", eth, ["limits.ETH.daily", "limits.ETH.per_transaction", "limits.ETH.hitl_threshold"], null);
  }
  for (const field of OPTIONAL_FIELDS) {
    if (SERVICE[field].kind === "count" && draft.optional[field] === "0") found[field] = "With 0 it pays nothing.";
  }
  return found;
}

/** Compares the limits of one asset. Each field gets its first contradiction. */
function ofLimits(
  found: Found,
  asset: PolicyAsset,
  texts: LimitTexts,
  [dailyField, singleField, thresholdField]: readonly [string, string, string],
  month: bigint | null,
): void {
  const decimals = decimalsOf(asset);
  const daily = parseLimit(texts.daily, decimals);
  const single = parseLimit(texts.per_transaction, decimals);
  const threshold = parseLimit(texts.hitl_threshold, decimals);
  if (daily === 0n) found[dailyField] = `With 0 it pays no ${asset}.`;
  if (single === 0n) found[singleField] = `With 0 it pays no ${asset}.`;
  if (daily === null || single === null || daily === 0n || single === 0n) return;
  const larger = (whose: string, most: bigint) =>
    `${whose} allows ${written(most, asset)}: larger payments are refused.`;
  if (single > daily) found[singleField] = larger("A day", daily);
  else if (month !== null && single > month) found[singleField] = larger("A month", month);
  const [most = single] = [single, daily, month ?? daily].sort((a, b) => (a < b ? -1 : 1));
  if (threshold !== null && threshold > most) {
    found[thresholdField] = `You are never asked: payments above ${written(most, asset)} are refused.`;
  }
}

/** Reports a monthly limit that is below the daily limit, or that the daily limit never lets it reach. */
function ofMonth(found: Found, daily: bigint | null, month: bigint | null): void {
  if (month === 0n) found.monthly_limit_usdg = "With 0 it pays no USDG.";
  if (daily === null || daily === 0n || month === null || month === 0n) return;
  if (daily > month) found.daily_limit_usdg = `A month allows only ${written(month, "USDG")}.`;
  else if (DAYS * daily < month) {
    const [each, all] = [written(daily, "USDG"), written(DAYS * daily, "USDG")];
    found.monthly_limit_usdg = `Never reached: ${DAYS} days of ${each} are ${all}.`;
  }
}

/** Compares one recipient's limits with the general ones and with each other. */
function ofRecipient(found: Found, place: string, limit: RecipientLimitTexts, draft: PolicyDraft): void {
  const single = parseLimit(limit.per_transaction, 6);
  const month = parseLimit(limit.monthly, 6);
  const daily = parseLimit(draft.usdg.daily, 6);
  const bounds: [bigint | null, string][] = [
    [month, "this recipient's month allows"],
    [parseLimit(draft.usdg.per_transaction, 6), "one payment may be"],
    [daily, "a day allows"],
  ];
  const met = single === null ? undefined : bounds.find(([bound]) => bound !== null && single > bound);
  if (met?.[0] != null) {
    found[`${place}.per_transaction_limit_usdg`] = `Never reached: ${met[1]} ${written(met[0], "USDG")}.`;
  }
  const ofAll = parseLimit(draft.optional.monthly_limit_usdg, 6);
  if (month !== null && ofAll !== null && month > ofAll) {
    found[`${place}.monthly_limit_usdg`] = `Never reached: a month allows ${written(ofAll, "USDG")}.`;
  }
  const recipient = normaliseRecipient(limit.recipient.trim());
  const allowed = draft.allowed_recipients.flatMap((entry) => normaliseRecipient(entry) ?? []);
  if (recipient && allowed.length > 0 && isLeftOut(recipient, allowed)) {
    found[`${place}.recipient`] = "Not among the recipients above, so nothing is paid to it.";
  }
}

/**
 * Returns whether the list certainly allows no one whom the entry names. A handle and an address may belong to the same
 * account, so mixed pairs are never certain.
 */
function isLeftOut(entry: string, allowed: readonly string[]): boolean {
  if (allowed.includes("*") || entry === "*") return false;
  const isAddress = (each: string) => each.startsWith("0x");
  if (allowed.some((each) => isAddress(each) !== isAddress(entry))) return false;
  if (isAddress(entry)) return !allowed.includes(entry);
  const matches = (pattern: string, each: string) => {
    // A subdomain belongs to its domain, and a handle of the domain matches it.
    if (isPattern(each)) return `.${each.slice(2)}`.endsWith(pattern.slice(1));
    return allowsRecipient([pattern], { handle: each.slice(1), address: "" });
  };
  return !allowed.some(
    (each) => each === entry || (isPattern(each) && matches(each, entry)) || (isPattern(entry) && matches(entry, each)),
  );
}
