import { LedgerError } from "./errors";
import { assertUnits, UNITS_BOUND } from "./field";

/** Calendar days, counted from 1970-01-01, are below this. */
export const DAY_BOUND = 1n << 32n;

/** What was counted of an available balance under a policy: `spent` units on the calendar day `day`. */
export interface AvailableWindow {
  spent: bigint;
  /** Days since 1970-01-01 in the policy's time zone. */
  day: bigint;
}

/** The window of an available balance without counts. Its commitments are Poseidon(2, limit, salt). */
export const NO_WINDOW: AvailableWindow = { spent: 0n, day: 0n };

/**
 * Checks that `day` is a whole number of days below 2^32.
 *
 * @throws LedgerError
 */
export function assertDay(day: bigint): void {
  if (typeof day !== "bigint" || day < 0n || day >= DAY_BOUND) throw new LedgerError("A day lies below 2^32.");
}

/**
 * Packs a window into one integer: spent + 2^64·day.
 *
 * @throws InvalidUnits, LedgerError if a part is out of range
 */
export function packWindow({ spent, day }: AvailableWindow): bigint {
  assertUnits(spent);
  assertDay(day);
  return spent + UNITS_BOUND * day;
}

/**
 * Unpacks a window.
 *
 * @throws LedgerError for an integer that `packWindow` never returns
 */
export function unpackWindow(packed: bigint): AvailableWindow {
  if (packed < 0n) throw new LedgerError("A window is not negative.");
  const window = { spent: packed % UNITS_BOUND, day: packed / UNITS_BOUND };
  assertDay(window.day);
  return window;
}
