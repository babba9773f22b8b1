import { expect, test } from "vitest";
import { ApiError } from "@/lib/base/errors";
import { PageLimit } from "./page-limit";

const WALLET = `0x${"a".repeat(40)}`;
type Asked = NonNullable<Parameters<PageLimit["take"]>[1]>;

/** A limit of so many requests a minute on a clock of its own. */
function onClock(perMinute = 60) {
  const clock = { now: 0 };
  const limit = new PageLimit(perMinute, () => clock.now);
  const turns = (times: number, asked: Asked = {}, address = "203.0.113.1") =>
    Array.from({ length: times }, () => limit.take(address, asked));
  /** How many of so many requests are served at once, later, and not at all. */
  const counts = (times: number, asked: Asked = {}, address = "203.0.113.1") => {
    const all = turns(times, asked, address);
    const refused = all.filter((turn) => turn instanceof ApiError).length;
    const atOnce = all.filter((turn) => turn === 0).length;
    return [atOnce, times - atOnce - refused, refused];
  };
  return { clock, limit, turns, counts };
}

test("an address has its requests a minute, at once or over time, and others have their own", () => {
  const { clock, limit, counts } = onClock();
  expect(counts(100)).toEqual([60, 0, 40]);
  expect(limit.take("203.0.113.1")).toMatchObject({ code: "rate_limited", retryAfter: 1 });
  expect(counts(10, {}, "203.0.113.2")).toEqual([10, 0, 0]);
  clock.now += 5_000;
  expect(counts(100)).toEqual([5, 0, 95]);
  clock.now += 60_000;
  expect(counts(100)).toEqual([60, 0, 40]);
});

test("rendered pages have a quarter of the rate; who asks faster waits, at most eight seconds", () => {
  const { clock, turns, counts } = onClock(240);
  expect(counts(20, { kind: "rendered" })).toEqual([4, 8, 8]);
  expect(counts(60)).toEqual([60, 0, 0]);
  clock.now += 8_000;
  expect(turns(2, { kind: "rendered" })).toEqual([1_000, 2_000]);
  clock.now += 60_000;
  expect(turns(1, { kind: "rendered" })).toEqual([0]);
  // Even if that is less than one in the time that it may save up.
  expect(onClock(12).turns(2, { kind: "rendered" })).toEqual([0, expect.any(ApiError)]);
});

test("a wallet's pages are its own: neither refused for its address, nor without end", () => {
  const { counts } = onClock(240);
  const rendered = { kind: "rendered" } as const;
  expect(counts(20, rendered)).toEqual([4, 8, 8]);
  expect(counts(20, { ...rendered, wallet: WALLET })).toEqual([4, 8, 8]);
  expect(counts(20, { ...rendered, wallet: WALLET }, "203.0.113.9")).toEqual([0, 0, 20]);
});

test("a probe is served whatever else its address sends, those over the limit a quarter of a second later", () => {
  const { clock, turns, counts } = onClock();
  counts(100);
  expect(turns(5, { kind: "probe" })).toEqual([0, 0, 0, 0, 0]);
  expect(counts(1_000, { kind: "probe" })).toEqual([0, 1_000, 0]);
  expect(turns(1, { kind: "probe" })).toEqual([250]);
  clock.now += 1_000;
  expect(turns(2, { kind: "probe" })).toEqual([0, 250]);
});

test("an IPv6 address counts with its network, and addresses that are gone are forgotten", () => {
  const { clock, limit } = onClock();
  for (let host = 0; host < 60; host += 1) limit.take(`2001:db8::${host.toString(16)}`);
  expect(limit.take("2001:db8::ffff")).toBeInstanceOf(ApiError);
  for (let at = 0; at < 6_000; at += 1) {
    clock.now += 20;
    limit.take(`10.${at >> 14}.${(at >> 7) & 127}.${at & 127}`);
  }
  expect((limit as unknown as { fullAt: Map<string, number> }).fullAt.size).toBeLessThan(5_001);
});
