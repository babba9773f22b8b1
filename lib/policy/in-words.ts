import { POLICY_ASSETS, type PolicyAsset } from "./amount-limits";
import { grouped, joined, recipientInWords } from "./number-words";
import { WORDS } from "./rules";
import type { PolicyFields } from "./spend-policy";

/** What an agent may pay in one asset on its own, as values to compare and texts to show. */
interface Bounds {
  asset: PolicyAsset;
  daily: string;
  /** The smaller of the two limits, because a single payment also can't exceed the daily limit. */
  single: string;
  isOneADay: boolean;
  asks: "always" | "above" | "never";
  threshold: string;
}

const ALL_DAY = "00:00-24:00";
/** At most this many recipients are named; more are only counted. */
const NAMED = 3;

/** Compares two decimal texts digit by digit, because ETH amounts have more digits than a double holds. */
function compare(a: string, b: string): number {
  const [[wholeA = "", partA = ""], [wholeB = "", partB = ""]] = [a.split("."), b.split(".")];
  const width = Math.max(wholeA.length, wholeB.length);
  const places = Math.max(partA.length, partB.length);
  const digitsA = wholeA.padStart(width, "0") + partA.padEnd(places, "0");
  const digitsB = wholeB.padStart(width, "0") + partB.padEnd(places, "0");
  return digitsA === digitsB ? 0 : digitsA < digitsB ? -1 : 1;
}

/** Returns the limits in an asset; null if not even one unit of it can be paid. */
function boundsOf(policy: PolicyFields, asset: PolicyAsset): Bounds | null {
  if (!policy.assets.includes(asset)) return null;
  const limits =
    asset === "USDG"
      ? {
          daily: String(policy.daily_limit_usdg),
          per_transaction: String(policy.per_transaction_limit_usdg),
          hitl_threshold: String(policy.hitl_threshold_usdg),
        }
      : policy.limits[asset];
  if (!limits || compare(limits.daily, "0") === 0 || compare(limits.per_transaction, "0") === 0) return null;
  const isOneADay = compare(limits.per_transaction, limits.daily) >= 0;
  const single = isOneADay ? limits.daily : limits.per_transaction;
  const asks =
    compare(limits.hitl_threshold, "0") === 0
      ? "always"
      : compare(limits.hitl_threshold, single) >= 0
        ? "never"
        : "above";
  return { asset, daily: limits.daily, single, isOneADay, asks, threshold: limits.hitl_threshold };
}

function recipientsInWords(entries: readonly string[]): string {
  if (entries.includes("*")) return "anyone";
  const names = entries.map(recipientInWords);
  if (names.length <= NAMED + 1) return joined(names);
  return joined([...names.slice(0, NAMED), `${names.length - NAMED} others`]);
}

/** Returns the place that a time zone is named after: `Buenos Aires` for `America/Argentina/Buenos_Aires`. */
export function zoneInWords(timeZone: string): string {
  return (timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ");
}

function hoursInWords({ active_hours, time_zone }: PolicyFields): string {
  const zone = zoneInWords(time_zone);
  if (active_hours !== ALL_DAY) return `, ${active_hours} ${zone}`;
  return time_zone === "UTC" ? "" : `, by the day in ${zone}`;
}

function askingInWords(bounds: readonly Bounds[]): string {
  const several = bounds.length > 1;
  const every = (asks: Bounds["asks"]) => bounds.every((each) => each.asks === asks);
  if (every("never")) return "you are never asked";
  if (every("always")) return "you are asked for every payment";
  const above = bounds.filter(({ asks }) => asks === "above");
  const always = bounds.filter(({ asks }) => asks === "always").map(({ asset }) => asset);
  const sums = above.map(({ threshold, asset }) => (several ? `${grouped(threshold)} ${asset}` : grouped(threshold)));
  const over = `above ${joined(sums, "or")}`;
  if (always.length === 0) return `${over} you are asked`;
  const all = `for every payment of ${joined(always)}`;
  return sums.length === 0 ? `you are asked ${all}` : `you are asked ${over} and ${all}`;
}

/** Returns what the rules say that only some policies have; empty for a policy without them. */
function furtherInWords(policy: PolicyFields): string {
  const words = Object.values(WORDS);
  const bounds = words.flatMap(({ atMost }) => atMost?.(policy) ?? []);
  const own = words.flatMap(({ sentence }) => sentence?.(policy) ?? []);
  const sentences = [...(bounds.length > 0 ? [`At most ${joined(bounds)}`] : []), ...own];
  return sentences.map((sentence) => ` ${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`).join("");
}

/**
 * Describes to the owner, in a sentence or a few, what a policy lets the agent do.
 *
 * @example policyInWords(policy) // "May spend up to 100 USDG a day, 25 at a time, to *.acme.com, 09:00-18:00 Berlin;
 *   above 20 you are asked."
 */
export function policyInWords(policy: PolicyFields): string {
  if (policy.assets.length === 0) return "May not pay anyone: no asset is allowed.";
  if (policy.allowed_recipients.length === 0) return "May not pay anyone: no recipient is allowed.";
  const bounds = POLICY_ASSETS.map((asset) => boundsOf(policy, asset)).filter((each) => each !== null);
  if (bounds.length === 0) return "May not pay anyone: its limits are zero.";
  const sums = bounds.map(({ daily, single, asset, isOneADay }) => {
    return `up to ${grouped(daily)} ${asset} a day${isOneADay ? "" : `, ${grouped(single)} at a time`}`;
  });
  const whom = recipientsInWords(policy.allowed_recipients);
  const comma = bounds.some(({ isOneADay }) => !isOneADay) ? "," : "";
  const spends = sums.join(", and ");
  return `May spend ${spends}${comma} to ${whom}${hoursInWords(policy)}; ${askingInWords(bounds)}.${furtherInWords(policy)}`;
}
