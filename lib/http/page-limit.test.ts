import { expect, test } from "vitest";
import { PageLimit } from "./page-limit";

test("an address has its requests a minute, at once or over time, and others have their own", () => {
  let now = 0;
  const limit = new PageLimit(60, () => now);
  const allowed = (address: string, times: number) =>
    Array.from({ length: times }, () => limit.refuse(address)).filter((refusal) => !refusal).length;
  expect(allowed("203.0.113.1", 100)).toBe(60);
  expect(limit.refuse("203.0.113.1")).toMatchObject({ code: "rate_limited", retryAfter: 1 });
  expect(allowed("203.0.113.2", 10)).toBe(10);
  now += 5_000;
  expect(allowed("203.0.113.1", 100)).toBe(5);
  now += 60_000;
  expect(allowed("203.0.113.1", 100)).toBe(60);
});

test("a wallet's pages are its own: neither refused for its address, nor without end", () => {
  const limit = new PageLimit(60, () => 0);
  for (let i = 0; i < 60; i += 1) limit.refuse("203.0.113.1");
  expect(limit.refuse("203.0.113.1")).toBeDefined();
  const wallet = `0x${"a".repeat(40)}`;
  for (let i = 0; i < 60; i += 1) expect(limit.refuse("203.0.113.1", { wallet })).toBeUndefined();
  expect(limit.refuse("203.0.113.9", { wallet })).toMatchObject({ code: "rate_limited" });
});

test("an address has a sixth of its requests at once for rendered pages, and a wallet and other pages all of theirs", () => {
  let now = 0;
  const limit = new PageLimit(60, () => now);
  const allowed = (times: number, wallet?: string, isRendered = true) =>
    Array.from({ length: times }, () => limit.refuse("203.0.113.1", { wallet, isRendered })).filter((no) => !no).length;
  expect(allowed(100)).toBe(10);
  expect(allowed(100, `0x${"a".repeat(40)}`)).toBe(60);
  expect(allowed(100, undefined, false)).toBe(60);
  now += 3_000;
  expect(allowed(100)).toBe(3);
  now += 60_000;
  expect(allowed(100)).toBe(10);
});

test("an IPv6 address counts with its network, and addresses that are gone are forgotten", () => {
  let now = 0;
  const limit = new PageLimit(60, () => now);
  for (let host = 0; host < 60; host += 1) limit.refuse(`2001:db8::${host.toString(16)}`);
  expect(limit.refuse("2001:db8::ffff")).toBeDefined();
  for (let at = 0; at < 6_000; at += 1) {
    now += 20;
    limit.refuse(`10.${at >> 14}.${(at >> 7) & 127}.${at & 127}`);
  }
  expect((limit as unknown as { fullAt: Map<string, number> }).fullAt.size).toBeLessThan(5_001);
});
