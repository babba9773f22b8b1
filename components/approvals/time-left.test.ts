import { expect, test } from "vitest";
import { endsSoon, timeLeft } from "./time-left";

test("hours and minutes, then minutes, then seconds to the last one that has begun; nothing after the end", () => {
  expect(timeLeft(86_400_000)).toBe("24 h 0 min");
  expect(timeLeft(86_399_999)).toBe("23 h 59 min");
  expect(timeLeft(3_600_000)).toBe("1 h 0 min");
  expect(timeLeft(3_599_999)).toBe("59 min");
  expect(timeLeft(600_000)).toBe("10 min");
  expect(timeLeft(599_000)).toBe("9:59");
  expect(timeLeft(1_001)).toBe("0:02");
  expect(timeLeft(1)).toBe("0:01");
  expect(timeLeft(0)).toBeNull();
  expect(timeLeft(-5_000)).toBeNull();
});

test("the last ten minutes are soon", () => {
  expect([endsSoon(600_000), endsSoon(599_999)]).toEqual([false, true]);
});
