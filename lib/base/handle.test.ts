import { describe, expect, it } from "vitest";
import { normaliseAgentHandle, normaliseHandle } from "./handle";

describe("handles", () => {
  it.each([
    ["@Alice", "alice"],
    ["a-b_9", "a-b_9"],
    ["a".repeat(63), "a".repeat(63)],
    ["Pay.Example.COM", "pay.example.com"],
  ])("%s is read as %s", (text, handle) => {
    expect(normaliseHandle(text)).toBe(handle);
  });

  it.each(["ab", "a".repeat(64), "-abc", "abc_", "a b", "a..b", ".abc", "a/b", "@@abc", ""])("%j is none", (text) => {
    expect(normaliseHandle(text)).toBeNull();
  });

  it.each([
    ["Cyrillic", "\u0430lice"],
    ["full width", "\uff41lice"],
    ["the Kelvin sign, which lower-cases to k", "\u212Aevin"],
    ["an internationalised domain", "xn--80ak6aa92e.com"],
    ["an invisible joiner", "al\u200Dice"],
  ])("a name that looks like another in a different script is none: %s", (_, text) => {
    expect(normaliseHandle(text)).toBeNull();
  });

  it("an agent's handle is its owner's, a slash and a name", () => {
    expect(normaliseAgentHandle("@Alice/Buyer")).toBe("alice/buyer");
    expect(normaliseAgentHandle("@alice/")).toBeNull();
    expect(normaliseAgentHandle("@alice/a/b")).toBeNull();
  });
});
