import { expect, test } from "vitest";
import { isVersionOf } from "./is-own-call";

const relayer = `0x${"a1".repeat(20)}` as const;
const target = `0x${"b2".repeat(20)}` as const;
const call = { relayer, nonce: 7, target, data: "0xc0ffee" } as const;
const mined = { from: relayer, nonce: "0x7", to: target, input: "0xC0FFEE" } as const;

test("a version is of the same sender, nonce and call, whatever it offers for gas", () => {
  expect(isVersionOf(call, mined)).toBe(true);
});

test("what differs in any of them is someone else's", () => {
  const other = `0x${"d3".repeat(20)}` as const;
  const others = [{ from: other }, { nonce: "0x8" }, { to: other }, { to: null }, { input: "0xc0ff" }] as const;
  for (const one of others) expect(isVersionOf(call, { ...mined, ...one })).toBe(false);
});
