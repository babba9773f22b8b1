import type { Counting } from "@/lib/policy/counting";
import { localDay, QUARTER_MS } from "@/lib/policy/local-time";

/*
 * What an agent has recently spent of one asset. Stored only inside its encrypted available balance state:
 *
 *   version 1 | { quarter (4, big-endian) | units (8, big-endian) } ...   oldest first, each quarter once
 *
 * A quarter is a quarter of an hour since 1970, UTC. Midnight in every time zone in use is a boundary between two
 * quarters. So the sum of a calendar day is exact in any time zone, even after the policy's time zone changes and on
 * days of 23 or 25 hours.
 *
 * Under a policy with limits per month, on the number of payments, or per recipient and month:
 *
 *   version 2 | month (4) | units of the month (8) | recipients (1)
 *     | { first 8 bytes of the address | units of the month (8) } ...   in the order of their first payment
 *     | { quarter (4) | units (8) | payments (4) } ...
 */
const PLAIN = 1;
const COUNTED = 2;
const HEAD_LENGTH = 1 + 4 + 8 + 1;
const RECIPIENT_LENGTH = 8 + 8;
/** The space for counters in an available balance state (lib/ledger/encrypted/available-state). */
const MAX_LENGTH = 4096;
/** More than the longest day, which has 26 hours. */
const KEPT_QUARTERS = 27 * 4;
/** How many recipients have their own counter in one month. */
export const COUNTED_RECIPIENTS = 100;
const MAX_UNITS = (1n << 64n) - 1n;

interface Entry {
  quarter: number;
  units: bigint;
  payments: number;
}

/** From `start` until before `end`. */
interface Span {
  start: Date;
  end: Date;
}

interface Month {
  month: number;
  units: bigint;
  /** Units by the first 8 bytes of the recipient's address, as hex. */
  recipients: Map<string, bigint>;
}

interface Counters {
  entries: Entry[];
  /** Null if the policy has no monthly counters. */
  month: Month | null;
}

/** The counters were not written by {@link addSpent}. */
export class InvalidCounters extends Error {
  override readonly name = "InvalidCounters";
}

/**
 * Returns the units spent on the calendar day that contains `at` in the time zone.
 *
 * @param counters from the newest available balance state of the asset; undefined if nothing was spent yet
 * @throws InvalidCounters
 */
export function spentOnDay(counters: Uint8Array | undefined, timeZone: string, at: Date): bigint {
  const { entries } = decode(counters);
  if (entries.length === 0) return 0n;
  return entriesBetween(entries, localDay(timeZone, at)).reduce((sum, { units }) => sum + units, 0n);
}

/**
 * Returns the number of payments in a span that begins and ends with a quarter of an hour. Payments from before the
 * policy counted them count as one per quarter of an hour.
 *
 * @throws InvalidCounters
 */
export function paymentsBetween(counters: Uint8Array | undefined, span: Span): number {
  return entriesBetween(decode(counters).entries, span).reduce((sum, { payments }) => sum + payments, 0);
}

/**
 * Returns the units spent in a month, from when the policy began to count them. If the counters are already at a later
 * month, because another time zone was ahead, its sum is returned.
 *
 * @throws InvalidCounters
 */
export function spentInMonth(counters: Uint8Array | undefined, month: number): bigint {
  const counted = decode(counters).month;
  return counted && counted.month >= month ? counted.units : 0n;
}

/**
 * Returns the units paid to one recipient in a month, like {@link spentInMonth}. If there is no space to count another
 * recipient, returns the largest possible sum, which denies the payment.
 *
 * @throws InvalidCounters
 */
export function spentWith(counters: Uint8Array | undefined, { month, recipient }: Counting): bigint {
  const counted = decode(counters).month;
  if (recipient === null || !counted || counted.month < month) return 0n;
  const units = counted.recipients.get(agentsShortOfFunds(recipient));
  return units ?? (counted.recipients.size < COUNTED_RECIPIENTS ? 0n : MAX_UNITS);
}

/**
 * Returns the counters with `amount` more units spent at `at`. Drops entries too old to belong to any day that contains
 * `at`. Sums saturate at 2^64 - 1, far above any limit.
 *
 * @param counting what the policy counts in addition to the day; null drops these counters
 * @throws InvalidCounters
 */
export function addSpent(
  counters: Uint8Array | undefined,
  at: Date,
  amount: bigint,
  counting: Counting | null = null,
): Uint8Array<ArrayBuffer> {
  if (amount <= 0n || amount > MAX_UNITS) throw new RangeError("a payment is of 1 to 2^64 - 1 units");
  const now = Math.floor(at.getTime() / QUARTER_MS);
  const before = decode(counters);
  const kept = before.entries.filter(({ quarter }) => quarter >= now - KEPT_QUARTERS);
  const current = kept.find(({ quarter }) => quarter === now);
  if (current) {
    current.units = capped(current.units + amount);
    current.payments += 1;
  } else {
    kept.push({ quarter: now, units: amount, payments: 1 });
  }
  // Another process's clock may be ahead of ours, so sort.
  const entries = kept.sort((a, b) => a.quarter - b.quarter);
  return encode({ entries, month: counting && addToMonth(before.month, counting, amount) });
}

const capped = (units: bigint) => (units > MAX_UNITS ? MAX_UNITS : units);

/** Returns the first 8 bytes of an address, as hex. Two recipients with the same prefix would share a counter. */
const agentsShortOfFunds = (address: string) => address.slice(2, 18).toLowerCase();

function addToMonth(before: Month | null, { month, recipient }: Counting, amount: bigint): Month {
  const current =
    before && before.month >= month ? before : { month, units: 0n, recipients: new Map<string, bigint>() };
  const recipients = new Map(current.recipients);
  if (recipient !== null) {
    const short = agentsShortOfFunds(recipient);
    recipients.set(short, capped((recipients.get(short) ?? 0n) + amount));
  }
  return { month: current.month, units: capped(current.units + amount), recipients };
}

function entriesBetween(entries: readonly Entry[], { start, end }: Span): Entry[] {
  const [first, next] = [start.getTime() / QUARTER_MS, end.getTime() / QUARTER_MS];
  return entries.filter(({ quarter }) => first <= quarter && quarter < next);
}

/** Returns what gives the place of the next field of a length. */
function fieldsInOrder(): (length: number) => number {
  let end = 0;
  return (length) => {
    end += length;
    return end - length;
  };
}

function encode({ entries, month }: Counters): Uint8Array<ArrayBuffer> {
  const recipients = month?.recipients.size ?? 0;
  const length = (month ? HEAD_LENGTH + recipients * RECIPIENT_LENGTH : 1) + entries.length * (month ? 16 : 12);
  if (length > MAX_LENGTH || recipients > COUNTED_RECIPIENTS) {
    throw new InvalidCounters("counters of another form");
  }
  const view = new DataView(new ArrayBuffer(length));
  const next = fieldsInOrder();
  const small = (value: number) => view.setUint32(next(4), value);
  const large = (value: bigint) => view.setBigUint64(next(8), value);
  view.setUint8(next(1), month ? COUNTED : PLAIN);
  if (month) {
    small(month.month);
    large(month.units);
    view.setUint8(next(1), recipients);
    for (const [short, units] of month.recipients) {
      large(BigInt(`0x${short}`));
      large(units);
    }
  }
  for (const { quarter, units, payments } of entries) {
    small(quarter);
    large(units);
    if (month) small(payments);
  }
  return new Uint8Array(view.buffer);
}

function decode(counters: Uint8Array | undefined): Counters {
  if (counters === undefined) return { entries: [], month: null };
  try {
    const read = parse(new DataView(counters.buffer, counters.byteOffset, counters.byteLength));
    if (counters.length <= MAX_LENGTH && read.entries.length > 0) return read;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new InvalidCounters("counters of another form");
}

/** @throws RangeError for counters of another form: also what a view throws when it ends in the middle of a field */
function parse(view: DataView): Counters {
  const next = fieldsInOrder();
  const small = () => view.getUint32(next(4));
  const large = () => view.getBigUint64(next(8));
  const must = (holds: boolean) => {
    if (!holds) throw new RangeError("counters of another form");
  };
  const version = view.getUint8(next(1));
  must(version === PLAIN || version === COUNTED);
  let month: Month | null = null;
  if (version === COUNTED) {
    month = { month: small(), units: large(), recipients: new Map() };
    const count = view.getUint8(next(1));
    for (let left = count; left > 0; left--) {
      const short = large().toString(16).padStart(16, "0");
      const units = large();
      must(units > 0n);
      month.recipients.set(short, units);
    }
    must(month.recipients.size === count && count <= COUNTED_RECIPIENTS);
  }
  const entries: Entry[] = [];
  while (next(0) < view.byteLength) {
    const entry = { quarter: small(), units: large(), payments: month ? small() : 1 };
    must(entry.units > 0n && entry.payments > 0 && entry.quarter > (entries.at(-1)?.quarter ?? -1));
    entries.push(entry);
  }
  return { entries, month };
}
