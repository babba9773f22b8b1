"use client";

import { useReader, writtenTime } from "@/components/ui/time";
import { occurrences } from "@/lib/policy/calendar/occurrences";
import { checkRule, RuleFault, type RuleInput } from "@/lib/policy/calendar/rule";

const SHOWN = 5;

/** The next dates of the rule being written, or what is wrong with it. */
export function NextDates({ rule }: { rule: RuleInput }) {
  const { locale } = useReader();
  const { dates, fault } = preview(rule);
  if (fault) return <p className="mt-4 text-danger text-sm">{fault}</p>;
  return (
    <div className="mt-5 rounded-lg bg-sunken px-4 py-3 text-sm" aria-live="polite">
      <p className="text-muted text-xs">{dates.length === 0 ? "No upcoming dates" : "Next dates"}</p>
      <ol className="mt-1.5 grid gap-1 tabular-nums">
        {dates.map(({ date, dueAt }) => (
          <li key={date}>{writtenTime(dueAt, "date", rule.time_zone ?? "UTC", locale)}</li>
        ))}
      </ol>
    </div>
  );
}

function preview(input: RuleInput) {
  try {
    const rule = checkRule(input);
    const dates = [];
    const now = new Date();
    for (const occurrence of occurrences(rule)) {
      if (occurrence.dueAt <= now) continue;
      dates.push(occurrence);
      if (dates.length === SHOWN) break;
    }
    return { dates, fault: null };
  } catch (error) {
    if (!(error instanceof RuleFault)) throw error;
    return { dates: [], fault: error.message };
  }
}
