import { expect, test } from "vitest";
import { WINDOW } from "@/lib/policy/calendar/document";
import { occurrences } from "@/lib/policy/calendar/occurrences";
import { checkRule } from "@/lib/policy/calendar/rule";
import { earliestOpenPayment, earliestPayment } from "./earliest-payment";

const HOUR = 3_600_000;

test("whatever its time, time zone and weekend rule, a run is due and over a good while after its earliest payment", () => {
  const leads: number[] = [];
  const spare: number[] = [];
  for (const weekends of ["keep", "before", "after"] as const) {
    for (const time_zone of ["Pacific/Kiritimati", "UTC", "Etc/GMT+12"]) {
      for (const time of ["00:00", "23:59"]) {
        const rule = { frequency: "monthly", weekends, time_zone, time, count: 12 } as const;
        for (const { date, dueAt } of occurrences(checkRule({ ...rule, start: "2026-01-31" }))) {
          const earliest = earliestPayment(date).getTime();
          const end = new Date(dueAt.getTime() + WINDOW.most * 1_000);
          leads.push((dueAt.getTime() - earliest) / HOUR);
          spare.push((earliest - earliestOpenPayment(end).getTime()) / HOUR);
        }
      }
    }
  }
  expect(leads).toHaveLength(3 * 3 * 2 * 12);
  // More than the 26 hours for which a client searches the chain for other payments.
  expect(Math.min(...leads)).toBe(34);
  expect(Math.min(...spare)).toBeGreaterThan(12);
});
