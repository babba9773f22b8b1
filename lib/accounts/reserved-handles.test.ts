import { expect, test } from "vitest";
import { isReservedHandle, skeletonOf } from "./reserved-handles";

test.each([
  "support",
  "supp0rt",
  "sup-port",
  "adm1n",
  "admln",
  "halcyon",
  "ha1cyon-help",
  "the_halcyon",
  "treasury",
  "usdg",
  "nu11",
])("nobody gets @%s: it sounds like the service", (handle) => {
  expect(isReservedHandle(handle)).toBe(true);
});

test.each(["alice", "demo", "supporters", "bob-1", "payday"])("@%s is free", (handle) => {
  expect(isReservedHandle(handle)).toBe(false);
});

test("handles that look alike have one skeleton, others do not", () => {
  expect(skeletonOf("a1ice")).toBe(skeletonOf("alice"));
  expect(skeletonOf("b0b-1")).toBe(skeletonOf("bob_l"));
  expect(skeletonOf("alice")).not.toBe(skeletonOf("alico"));
});
