import type { Tone } from "@/components/ui/badge";
import { writtenClock, writtenTime } from "@/components/ui/time";
import type { Rule } from "@/lib/policy/calendar/rule";
import type { Schedule, ScheduleRun } from "@/sdk/api/resources/schedules";

export const SCHEDULE_STATUS: Record<Schedule["status"], { name: string; tone: Tone }> = {
  active: { name: "Active", tone: "success" },
  paused: { name: "Paused", tone: "warning" },
  finished: { name: "Finished", tone: "neutral" },
  ended: { name: "Ended", tone: "neutral" },
};

export const RUN_STATUS: Record<ScheduleRun["status"], { name: string; tone: Tone }> = {
  planned: { name: "Next", tone: "neutral" },
  due: { name: "Due", tone: "warning" },
  paying: { name: "Being paid", tone: "accent" },
  paid: { name: "Paid", tone: "success" },
  missed: { name: "Missed", tone: "danger" },
  skipped: { name: "Skipped", tone: "neutral" },
  cancelled: { name: "Cancelled", tone: "neutral" },
};

/** Returns why a run waits, from the error code of its last attempt. */
export function failureWords(code: string | null): string | null {
  if (code === null) return null;
  if (code === "insufficient_balance") return "Not enough available balance. Make money available, then pay it.";
  if (code === "recipient_not_confidential_ready") return "The recipient can't receive confidential payments now.";
  if (code === "recipient_not_found") return "A recipient's handle belongs to no account, or to another one.";
  if (code === "transfer_failed") return "The last attempt failed on chain. No money moved.";
  return "The last attempt was refused. Pay it here to see why.";
}

const UNITS = { daily: "day", weekly: "week", monthly: "month", yearly: "year" } as const;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Describes a rule in a few words, in the reader's language: "Monthly on day 31, 9:00 AM Europe/Berlin". */
export function ruleWords(rule: Rule, locale: string): string {
  const { frequency, interval, weekdays = [], day, nth, weekday, time, time_zone: zone, count, until } = rule;
  const every =
    frequency === "once" ? "Once" : interval === 1 ? capital(frequency) : `Every ${interval} ${UNITS[frequency]}s`;
  const on =
    frequency === "weekly"
      ? ` on ${weekdays.map(capital).join(", ")}`
      : nth !== undefined && weekday
        ? ` on the ${nth === "last" ? "last" : `${nth}.`} ${capital(weekday)}`
        : day === "last"
          ? " on the last day"
          : day !== undefined
            ? ` on day ${day}`
            : "";
  const end =
    count !== undefined
      ? `, ${count} times`
      : until !== undefined
        ? `, until ${writtenTime(new Date(until), "day", "UTC", locale)}`
        : "";
  return `${every}${on}, ${writtenClock(time, locale)} ${zone}${end}`;
}
