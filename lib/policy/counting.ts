import type { PolicyAct } from "@/lib/policy/decide";
import { limitsFor } from "@/lib/policy/limits-for";
import { localDay, localTime, QUARTER_MS } from "@/lib/policy/local-time";
import { RULES } from "@/lib/policy/rules";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { paymentsBetween, spentInMonth, spentOnDay, spentWith } from "@/lib/policy/spent";

/** What a policy counts of a payment in addition to the day's total. */
export interface Counting {
  /** Months since the year 0, in the policy's time zone. */
  month: number;
  /** The recipient's address if a limit restricts what it gets in a month; else null. */
  recipient: string | null;
}

/** Something that is counted of the payments in one asset. */
interface Count {
  /** Names the period that contains `at`, and the recipient if each has its own count. */
  of: (timeZone: string, recipient: string, at: Date) => string | number;
  /** What a payment adds. */
  adds: (amount: bigint) => bigint;
  /** Reads it from an agent's counters. */
  read: (counters: Uint8Array | undefined, timeZone: string, counting: Counting, at: Date) => bigint;
}

const amount = (units: bigint) => units;
const one = () => 1n;
const day = (timeZone: string, _: string, at: Date) => localDay(timeZone, at).start.getTime();
const month = (timeZone: string, _: string, at: Date) => localMonth(timeZone, at);

/** From `start` until before `end`. */
interface Span {
  start: Date;
  end: Date;
}

/** What rules can count. */
export const COUNTS = {
  spentToday: { of: day, adds: amount, read: (counters, timeZone, _, at) => spentOnDay(counters, timeZone, at) },
  paymentsToday: {
    of: day,
    adds: one,
    read: (counters, timeZone, _, at) => BigInt(paymentsBetween(counters, localDay(timeZone, at))),
  },
  paymentsThisHour: {
    of: (timeZone, _, at) => hourIn(timeZone, at).start.getTime(),
    adds: one,
    read: (counters, timeZone, _, at) => BigInt(paymentsBetween(counters, hourIn(timeZone, at))),
  },
  spentThisMonth: { of: month, adds: amount, read: (counters, _, counting) => spentInMonth(counters, counting.month) },
  paidRecipientThisMonth: {
    of: (timeZone, recipient, at) => `${localMonth(timeZone, at)} ${recipient}`,
    adds: amount,
    read: (counters, _, counting) => spentWith(counters, counting),
  },
} satisfies Record<string, Count>;

/** The name of something that rules can count. */
export type CountName = keyof typeof COUNTS;

/** The agent's state: whether it is paused, and what was counted of its payments in this asset. */
export type SpendingState = { paused: boolean } & Record<CountName, bigint>;

/** Returns the state in which each count has the given value. */
export function stateFrom(paused: boolean, valueFor: (name: CountName) => bigint): SpendingState {
  const counted = (Object.keys(COUNTS) as CountName[]).map((name) => [name, valueFor(name)]);
  return { paused, ...(Object.fromEntries(counted) as Record<CountName, bigint>) };
}

/**
 * Returns the agent's state for a payment, from the counters of its newest available balance state.
 *
 * @throws InvalidCounters
 */
export function spendingState(
  policy: SpendPolicy,
  paused: boolean,
  counters: Uint8Array | undefined,
  act: Pick<PolicyAct, "recipient">,
  at: Date,
): SpendingState {
  const { timeZone } = policy;
  const counting: Counting = countingOf(policy, act, at) ?? { month: localMonth(timeZone, at), recipient: null };
  return stateFrom(paused, (name) => COUNTS[name].read(counters, timeZone, counting, at));
}

/** Returns the day and the hour in which payments made at `at` are counted. */
export function countedSpans(timeZone: string, at: Date): { day: Span; hour: Span } {
  return { day: localDay(timeZone, at), hour: hourIn(timeZone, at) };
}

/** Returns the hour of a time zone's clock that contains `at`. Each begins with a quarter of an hour. */
function hourIn(timeZone: string, at: Date): Span {
  const past = Math.floor((localTime(timeZone, at).minute % 60) / 15);
  const start = (Math.floor(at.getTime() / QUARTER_MS) - past) * QUARTER_MS;
  return { start: new Date(start), end: new Date(start + 4 * QUARTER_MS) };
}

/** Returns the month of `at` in a time zone, as months since the year 0. */
function localMonth(timeZone: string, at: Date): number {
  const month = Math.floor(localTime(timeZone, at).date / 100);
  return Math.floor(month / 100) * 12 + (month % 100) - 1;
}

/** Returns what a policy counts of a payment; null if it counts only what is spent in a day. */
export function countingOf(
  policy: SpendPolicy,
  { recipient }: Pick<PolicyAct, "recipient">,
  at: Date,
): Counting | null {
  if (!RULES.some((rule) => rule.isCounted?.(policy))) return null;
  const isBounded = limitsFor(policy, recipient).some(({ monthly }) => monthly !== null);
  return { month: localMonth(policy.timeZone, at), recipient: isBounded ? recipient.address : null };
}
