import { calendarDayIn, isDay, type Period } from "@/lib/payments/statements/period";
import { normaliseTimeZone, ownTimeZone } from "@/lib/policy/local-time";
import { HalcyonError } from "../api/errors";

/** The period, accounts and asset of a statement. */
export interface StatementInput {
  /** The first day, such as `2026-11-01`, in `timeZone`; or an instant, as a Date or ISO 8601 with its zone. */
  from: Date | string;
  /** The last day, which is included; or an instant, which is not. */
  to: Date | string;
  /** The time zone of the days, an IANA name such as `Europe/Zurich`. Default: this machine's. */
  timeZone?: string | undefined;
  /** Handle of an agent of the account: only its movements. */
  agent?: string | undefined;
  /** The account and all its agents together. Not with `agent`. */
  withAgents?: boolean | undefined;
  /** Only this asset. Default: all assets. */
  asset?: string | undefined;
}

const refuse = (param: keyof StatementInput, message: string) =>
  new HalcyonError("invalid_request", message, { param });

/**
 * Returns the validated time zone of an input.
 *
 * @throws HalcyonError `invalid_request`
 */
function zoneOf({ timeZone }: Pick<StatementInput, "timeZone">): string {
  const zone = timeZone === undefined ? ownTimeZone() : normaliseTimeZone(timeZone);
  if (zone !== null) return zone;
  throw refuse("timeZone", "timeZone is the name of a time zone, such as Europe/Zurich or UTC.");
}

function endOf(param: "from" | "to", value: Date | string, zone: string): Date {
  if (typeof value === "string" && isDay(value)) {
    try {
      return calendarDayIn(zone, value)[param];
    } catch (cause) {
      if (cause instanceof RangeError) throw refuse(param, cause.message);
      throw cause;
    }
  }
  const instant = new Date(value);
  const hasZone = value instanceof Date || /(Z|[+-]\d\d:\d\d)$/.test(value);
  if (hasZone && !Number.isNaN(instant.getTime())) return instant;
  throw refuse(param, `${param} is a day such as 2026-11-01, or a time with its zone, such as 2026-11-01T12:00:00Z.`);
}

/**
 * Returns the period of an input.
 *
 * @throws HalcyonError `invalid_request`
 */
export function periodOf(input: Pick<StatementInput, "from" | "to" | "timeZone">): Period & { timeZone: string } {
  const timeZone = zoneOf(input);
  const period = { from: endOf("from", input.from, timeZone), to: endOf("to", input.to, timeZone) };
  if (period.from < period.to) return { ...period, timeZone };
  throw refuse("to", "The period ends before it begins. Swap `from` and `to`.");
}
