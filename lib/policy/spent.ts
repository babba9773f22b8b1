import { dayOf, QUARTER_MS } from "@/lib/policy/local-time";

/*
 * What an agent has lately spent of one asset, kept inside its sealed budget state and nowhere else:
 *
 *   version (1) | { quarter (4, big-endian) | units (8, big-endian) } ...   oldest first, each quarter once
 *
 * A quarter is a quarter of an hour since 1970, UTC. Midnight of every zone in use lies between two of them, so the
 * spend of a calendar day is exact in any zone, also after the policy's zone changes and on days of 23 or 25 hours.
 */
const VERSION = 1;
const ENTRY_LENGTH = 4 + 8;
/** Room in a budget state (lib/ledger/seal/budget-state). */
const MAX_LENGTH = 4096;
/** More than the longest day, of 26 hours. */
const KEPT_QUARTERS = 27 * 4;
const MAX_UNITS = (1n << 64n) - 1n;

interface Entry {
  quarter: number;
  units: bigint;
}

/** Counters that {@link addSpent} did not write. */
export class InvalidCounters extends Error {
  override readonly name = "InvalidCounters";
}

/**
 * Units spent on the calendar day of the zone that holds `at`.
 *
 * @param counters of the newest budget state of the asset; undefined when nothing was spent yet
 * @throws InvalidCounters
 */
export function spentOnDay(counters: Uint8Array | undefined, timeZone: string, at: Date): bigint {
  const entries = decode(counters);
  if (entries.length === 0) return 0n;
  const { start, end } = dayOf(timeZone, at);
  const [first, next] = [start.getTime() / QUARTER_MS, end.getTime() / QUARTER_MS];
  return entries.reduce((sum, { quarter, units }) => (first <= quarter && quarter < next ? sum + units : sum), 0n);
}

/**
 * The counters with `amount` units more spent at `at`, without what is older than any day that holds `at`. A quarter's
 * sum stops at 2^64 - 1, far above any limit.
 *
 * @throws InvalidCounters
 */
export function addSpent(counters: Uint8Array | undefined, at: Date, amount: bigint): Uint8Array<ArrayBuffer> {
  if (amount <= 0n || amount > MAX_UNITS) throw new RangeError("a payment is of 1 to 2^64 - 1 units");
  const now = Math.floor(at.getTime() / QUARTER_MS);
  const kept = decode(counters).filter(({ quarter }) => quarter >= now - KEPT_QUARTERS);
  const current = kept.find(({ quarter }) => quarter === now);
  if (current) current.units = current.units + amount > MAX_UNITS ? MAX_UNITS : current.units + amount;
  else kept.push({ quarter: now, units: amount });
  // Another process' clock may be ahead of ours.
  return encode(kept.sort((a, b) => a.quarter - b.quarter));
}

function encode(entries: Entry[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + entries.length * ENTRY_LENGTH);
  if (bytes.length > MAX_LENGTH) throw new InvalidCounters("more counters than a balance state holds");
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  entries.forEach(({ quarter, units }, index) => {
    view.setUint32(1 + index * ENTRY_LENGTH, quarter);
    view.setBigUint64(5 + index * ENTRY_LENGTH, units);
  });
  return bytes;
}

function decode(counters: Uint8Array | undefined): Entry[] {
  if (counters === undefined) return [];
  const count = (counters.length - 1) / ENTRY_LENGTH;
  if (counters[0] !== VERSION || count < 1 || !Number.isInteger(count) || counters.length > MAX_LENGTH) {
    throw new InvalidCounters("counters of another form");
  }
  const view = new DataView(counters.buffer, counters.byteOffset, counters.byteLength);
  const entries: Entry[] = [];
  for (let at = 1; at < counters.length; at += ENTRY_LENGTH) {
    const entry = { quarter: view.getUint32(at), units: view.getBigUint64(at + 4) };
    if (entry.units === 0n || entry.quarter <= (entries.at(-1)?.quarter ?? -1)) {
      throw new InvalidCounters("counters out of order");
    }
    entries.push(entry);
  }
  return entries;
}
