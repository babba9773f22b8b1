import { describe, expect, test } from "vitest";
import { WINDOW_MS } from "@/lib/events/fan-out";
import { HEALTHY } from "@/lib/events/webhooks/health";
import { afterFailure, disableReason, nextAttempt, parseRetryAfter } from "./schedule";

const start = new Date("2026-11-21T00:00:00.000Z");
const later = (ms: number) => new Date(start.getTime() + ms);

describe("the schedule", () => {
  test("is at once, then after 5 s, doubling, 14 times: 22 h 45 min 15 s in all", () => {
    const delays: number[] = [];
    let now = start;
    for (let attempt = 1; ; attempt++) {
      const next = nextAttempt(start, attempt, now, 0, 0);
      if (!next) break;
      delays.push((next.getTime() - now.getTime()) / 1000);
      now = next;
    }
    expect(delays).toEqual(Array.from({ length: 14 }, (_, i) => 5 * 2 ** i));
    expect((now.getTime() - start.getTime()) / 1000).toBe(22 * 3_600 + 45 * 60 + 15);
  });

  test("adds up to 10 % at random and never ends past 24 hours", () => {
    expect(nextAttempt(start, 1, start, 0, 0.5)).toEqual(later(5_250));
    let now = start;
    for (let attempt = 1; ; attempt++) {
      const next = nextAttempt(start, attempt, now, 0, 0.999_999);
      if (!next) break;
      now = next;
    }
    expect(now.getTime() - start.getTime()).toBeLessThanOrEqual(WINDOW_MS);
  });

  test("makes no attempt after 24 hours, however few were made", () => {
    expect(nextAttempt(start, 1, later(WINDOW_MS), 0, 0)).toBeNull();
    expect(nextAttempt(start, 5, later(WINDOW_MS - 80_000), 0, 0)).toEqual(later(WINDOW_MS));
  });

  test("honours Retry-After when it is longer, inside the window", () => {
    expect(nextAttempt(start, 1, start, 60_000, 0)).toEqual(later(60_000));
    expect(nextAttempt(start, 5, start, 60_000, 0)).toEqual(later(80_000));
    expect(nextAttempt(start, 1, start, 9e12, 0)).toEqual(later(WINDOW_MS));
    expect(nextAttempt(start, 15, start, 60_000, 0)).toBeNull();
  });
});

test("Retry-After is read as seconds or a date; nonsense and the past are nothing", () => {
  const read = (header?: string) => parseRetryAfter(header, start);
  expect(read("120")).toBe(120_000);
  expect(read("Sat, 21 Nov 2026 00:01:00 GMT")).toBe(60_000);
  expect([read(), read("soon"), read("-5"), read("Fri, 20 Nov 2026 00:00:00 GMT"), read("")]).toEqual([0, 0, 0, 0, 0]);
});

describe("an endpoint", () => {
  test("is asked less and less often while it fails, at least every 30 seconds, and attempts at once count once", () => {
    let health = HEALTHY;
    let now = start;
    const pauses: number[] = [];
    for (let i = 0; i < 12; i++) {
      health = afterFailure(health, false, now, now);
      const beside = afterFailure(health, false, new Date(now.getTime() - 1), now);
      expect(beside.failures).toBe(health.failures);
      pauses.push((health.pausedUntil?.getTime() ?? 0) - now.getTime());
      now = new Date(now.getTime() + Math.max(1, pauses.at(-1) ?? 0));
    }
    expect(pauses).toEqual([0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  test("that only fails is disabled after 5 days, one that only returns 410 after 24 hours", () => {
    const [hour, day] = [3_600_000, 86_400_000];
    const failing = afterFailure(HEALTHY, false, start, start);
    expect(disableReason(afterFailure(failing, true, later(hour), later(hour)), later(5 * day - 1))).toBe("gone");
    expect(disableReason(failing, later(5 * day - 1))).toBeNull();
    expect(disableReason(failing, later(5 * day))).toBe("failing");
    const gone = afterFailure(HEALTHY, true, start, start);
    expect(disableReason(gone, later(day - 1))).toBeNull();
    expect(disableReason(gone, later(day))).toBe("gone");
    const interrupted = afterFailure(gone, false, later(hour), later(hour));
    expect(disableReason(interrupted, later(day))).toBeNull();
  });
});
