import { LedgerError } from "./errors";
import { assertUnits, UNITS_BOUND } from "./field";

/** Calendar days, as days since 1970-01-01, are below this. */
export const DAY_BOUND = 1n << 32n;

/** What a budget has counted under a policy: `spent` units on calendar day `day` of the policy's zone. */
export interface BudgetWindow {
  spent: bigint;
  /** Days since 1970-01-01 by the calendar of the policy's zone. */
  day: bigint;
}

/** The window of a budget that counts nothing: its words are Poseidon(2, limit, salt). */
export const NO_WINDOW: BudgetWindow = { spent: 0n, day: 0n };

/** Throws `LedgerError` unless `day` is a whole number of days below 2^32. */
export function assertDay(day: bigint): void {
  if (typeof day !== "bigint" || day < 0n || day >= DAY_BOUND) throw new LedgerError("A day lies below 2^32.");
}

/** spent + 2^64·day. Throws `InvalidUnits` or `LedgerError` when a part is out of range. */
export function packWindow({ spent, day }: BudgetWindow): bigint {
  assertUnits(spent);
  assertDay(day);
  return spent + UNITS_BOUND * day;
}

/** The parts of a packed window; throws `LedgerError` on an integer that `packWindow` never makes. */
export function unpackWindow(packed: bigint): BudgetWindow {
  if (packed < 0n) throw new LedgerError("A window is not negative.");
  const window = { spent: packed % UNITS_BOUND, day: packed / UNITS_BOUND };
  assertDay(window.day);
  return window;
}
