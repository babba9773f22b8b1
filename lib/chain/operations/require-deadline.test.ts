import { expect, test } from "vitest";
import { requireDeadline } from "./require-deadline";

const now = new Date("2026-11-29T12:00:00Z");
const at = (seconds: number) => String(now.getTime() / 1000 + seconds);

test("a deadline is half a minute to 24 hours ahead", () => {
  expect(requireDeadline(at(30), "deadline", now)).toEqual(new Date("2026-11-29T12:00:30Z"));
  expect(requireDeadline(at(86_400), "deadline", now)).toEqual(new Date("2026-11-30T12:00:00Z"));
});

test("one that a wrong clock may have made is refused with both clocks; another without", () => {
  const refusal = (seconds: string) => {
    try {
      return requireDeadline(seconds, "until", now);
    } catch (error) {
      return error;
    }
  };
  for (const seconds of [-3_600, 100_000]) {
    const message = expect.stringContaining("by the service's clock it is 2026-11-29T12:00:00.000Z");
    expect(refusal(at(seconds))).toMatchObject({ code: "invalid_request", param: "until", publicMessage: message });
  }
  expect(refusal("0")).toMatchObject({ publicMessage: "Choose a time between half a minute and 24 hours ahead." });
});
