import { expect, test } from "vitest";
import { CreateScheduleInput } from "./schema";

const PAYMENTS = [{ to: "@landlord", amount: "1200" }];

test.each([
  [{ frequency: "yearly", start: "2027-01-31", month: 2, day: 31 }, "day", /February never has 31 days/],
  [{ frequency: "once", start: "2027-02-31" }, "start", /not a date of the calendar/],
  [{ frequency: "daily", start: "2027-01-01", until: "2027-02-31" }, "until", /not a date of the calendar/],
])("a schedule on 31 February is refused, naming the field: %j", (rule, field, message) => {
  const { error } = CreateScheduleInput.safeParse({ rule, payments: PAYMENTS });
  expect(error?.issues.map(({ path }) => path.join("."))).toEqual([`rule.${field}`]);
  expect(error?.issues[0]?.message).toMatch(message);
});

test("monthly on the 31st is taken: a shorter month pays on its last day", () => {
  const rule = { frequency: "monthly", day: 31, start: "2027-01-31" };
  expect(CreateScheduleInput.safeParse({ rule, payments: PAYMENTS }).success).toBe(true);
});
