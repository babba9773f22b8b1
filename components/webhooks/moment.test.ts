import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isoTime } from "@/lib/base/clock";
import { momentOf } from "./moment";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const inMs = (ms: number) => momentOf(isoTime(new Date(Date.now() + ms)));

test("a page that stays open hears when the next attempt is due, so that it never shows a time in the past", () => {
  const moment = inMs(5_000);
  const heard = vi.fn();
  moment.subscribe(heard);
  expect(moment.hasPassed()).toBe(false);
  vi.advanceTimersByTime(4_999);
  expect(heard).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(heard).toHaveBeenCalledOnce();
  expect(moment.hasPassed()).toBe(true);
});

test("what the service clamped to now is due at once, and a page that closed hears nothing", () => {
  expect(inMs(0).hasPassed()).toBe(true);
  const heard = vi.fn();
  inMs(1_000).subscribe(heard)();
  inMs(0).subscribe(heard);
  // Longer than a timer can wait: not announced at once, which a browser would do with such a number.
  inMs(60 * 86_400_000).subscribe(heard);
  vi.advanceTimersByTime(86_400_000);
  expect(heard).not.toHaveBeenCalled();
});
