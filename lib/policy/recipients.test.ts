import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowsRecipient, normaliseRecipient } from "@/lib/policy/recipients";
import { address, allowedRecipient, domain, handle, recipient } from "@/test/ledger/policy-arbitraries";

const ADDRESS = "0x5fc5360d0400a0fd4f2af552add042d716f1d168";
const bob = { handle: "bob", address: ADDRESS };

describe("an entry of allowed_recipients", () => {
  it.each([
    ["bob", "@bob"],
    ["@Bob", "@bob"],
    ["alice/Bot", "@alice/bot"],
    ["@alice/_", "@alice/_"],
    ["Pay.Shop.test", "@pay.shop.test"],
    ["0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168", ADDRESS],
    ["0x5FC5360D0400A0FD4F2AF552ADD042D716F1D168", ADDRESS],
    [ADDRESS, ADDRESS],
    ["@0xdave", "@0xdave"],
    ["*", "*"],
    ["*.Example.com", "*.example.com"],
    ["*.pay.example.co.test", "*.pay.example.co.test"],
  ])("%j is stored as %j", (text, stored) => {
    expect(normaliseRecipient(text)).toBe(stored);
    expect(normaliseRecipient(stored)).toBe(stored);
  });

  it.each([
    "",
    "@",
    "@@bob",
    " bob",
    "bob ",
    "bo",
    "-bob",
    "b\u00f6b",
    "b\u043eb",
    "xn--bcher-kva.example",
    "bob.",
    "alice/",
    "/bot",
    "a/b/c",
    "alice/bot.x",
    "0x12",
    "0x5FC5360D0400a0Fd4f2af552ADD042D716F1d168",
    `${ADDRESS}0`,
    "0xdave",
    "*.",
    "*.com",
    "*.com.",
    "*..com",
    "*.*.x.com",
    "a*.x.com",
    "**.x.com",
    "*.x.com/bot",
    "@*",
    "@*.x.com",
    "*.@x.com",
    "*x.com",
    "@".padEnd(300, "a"),
    `*.${"a".repeat(300)}.com`,
  ])("%j is none", (text) => expect(normaliseRecipient(text)).toBeNull());
});

describe("allowsRecipient", () => {
  it.each([
    [["@bob"], bob, true],
    [[ADDRESS], bob, true],
    [["*"], { handle: null, address: ADDRESS }, true],
    [["@bob"], { handle: null, address: ADDRESS }, false],
    [["@bob"], { handle: "bob/bot", address: ADDRESS }, false],
    [["@bob/bot"], { handle: "bob/bot", address: ADDRESS }, true],
    [["*.x.com"], { handle: "a.x.com", address: ADDRESS }, true],
    [["*.x.com"], { handle: "b.a.x.com", address: ADDRESS }, true],
    [["*.x.com"], { handle: "x.com", address: ADDRESS }, false],
    [["*.x.com"], { handle: "evilx.com", address: ADDRESS }, false],
    [["*.x.com"], { handle: "a.x.com.evil.test", address: ADDRESS }, false],
    [["*.x.com"], { handle: "a.x.com/bot", address: ADDRESS }, false],
    [["*.x.com"], { handle: null, address: ADDRESS }, false],
    [[], bob, false],
  ])("%j for %j: %j", (allowed, to, expected) => expect(allowsRecipient(allowed, to)).toBe(expected));

  it("agrees with matching label by label", () => {
    fc.assert(
      fc.property(fc.array(allowedRecipient, { maxLength: 5 }), recipient, (allowed, to) => {
        expect(allowsRecipient(allowed, to)).toBe(allowed.some((entry) => matchesNaively(entry, to)));
      }),
      { numRuns: 2000 },
    );
  });

  it("stores what it would match: a normalised entry of a recipient's own handle or address allows it", () => {
    fc.assert(
      fc.property(handle, address, (name, at) => {
        const to = { handle: name, address: at };
        const entry = normaliseRecipient(name.toUpperCase());
        if (entry !== null) expect(allowsRecipient([entry], to)).toBe(true);
        expect(allowsRecipient([normaliseRecipient(at) ?? ""], to)).toBe(true);
      }),
    );
  });

  it("never lets a wildcard reach the domain itself or an agent", () => {
    fc.assert(
      fc.property(domain, address, (name, at) => {
        expect(allowsRecipient([`*.${name}`], { handle: name, address: at })).toBe(false);
        expect(allowsRecipient([`*.${name}`], { handle: `x.${name}/bot`, address: at })).toBe(false);
        expect(allowsRecipient([`*.${name}`], { handle: `x.${name}`, address: at })).toBe(true);
      }),
    );
  });
});

function matchesNaively(entry: string, to: { handle: string | null; address: string }): boolean {
  if (entry === "*") return true;
  if (entry.startsWith("0x")) return to.address === entry;
  if (to.handle === null) return false;
  if (entry.startsWith("@")) return to.handle === entry.substring(1);
  if (to.handle.includes("/")) return false;
  const wanted = entry.split(".").slice(1).reverse();
  const labels = to.handle.split(".").reverse();
  return labels.length > wanted.length && wanted.every((label, index) => labels[index] === label);
}
