import { expect, test } from "vitest";
import { checkRule } from "@/lib/policy/calendar/rule";
import { ruleWords } from "./wording";

test("a rule says its time and its end as every other time is written, in its own zone", () => {
  const rule = checkRule({ frequency: "monthly", start: "2100-01-31", time: "09:00", time_zone: "Europe/Berlin" });
  expect(ruleWords(rule, "en-US")).toMatch(/^Monthly on day 31, 9:00\sAM Europe\/Berlin$/);
  expect(ruleWords({ ...rule, until: "2100-12-31" }, "en-GB")).toBe(
    "Monthly on day 31, 09:00 Europe/Berlin, until 31 Dec 2100",
  );
});
