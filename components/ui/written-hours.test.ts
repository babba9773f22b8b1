import { expect, test } from "vitest";
import { withHours } from "./written-hours";

const written = (text: string, locale: string) => withHours(text, locale).replaceAll("\u202f", " ");

test("hours of a policy are written as the reader writes times", () => {
  expect(written("To *.acme.com, 09:00-18:00 Berlin; above 20 you are asked.", "en-US")).toBe(
    "To *.acme.com, 9:00 AM to 6:00 PM Berlin; above 20 you are asked.",
  );
  expect(written("18:00-24:00", "en-US")).toBe("6:00 PM to 12:00 AM");
  expect(written("09:00-18:30", "de")).toBe("09:00 to 18:30");
  expect(written("At any time", "de")).toBe("At any time");
});
