import fc from "fast-check";
import { expect, test } from "vitest";
import { isAllowed, normaliseRange } from "./allowed-addresses";

test.each([
  ["203.0.113.7", "203.0.113.7/32"],
  ["203.0.113.7/24", "203.0.113.0/24"],
  [" 10.1.2.3/9 ", "10.0.0.0/9"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8::1", "2001:db8::1/128"],
  ["2001:db8:1:2:3::/61", "2001:db8:1::/61"],
  ["::ffff:203.0.113.7", "203.0.113.7/32"],
])("%s is stored as %s", (text, stored) => {
  expect(normaliseRange(text)).toBe(stored);
});

test.each([
  "",
  "example.com",
  "203.0.113",
  "0x7f.1",
  "2130706433",
  "203.0.113.7/33",
  "203.0.113.7/",
  "203.0.113.7/24/8",
  "203.0.113.7/-1",
  "203.0.113.7/08",
  "::/129",
  "::ffff:203.0.113.7/96",
  "fe80::1%eth0",
])("%j is no address and no range", (text) => {
  expect(normaliseRange(text)).toBeNull();
});

test.each([
  ["203.0.113.9", ["203.0.113.0/24"], true],
  ["203.0.114.9", ["203.0.113.0/24"], false],
  ["::ffff:203.0.113.9", ["203.0.113.0/24"], true],
  ["2001:db8::5", ["203.0.113.0/24", "2001:db8::/32"], true],
  ["203.0.113.9", ["::/0"], false],
  [null, ["0.0.0.0/0", "::/0"], false],
  ["unknown", ["0.0.0.0/0"], false],
])("from %s, a key of %j: %s", (client, ranges, allowed) => {
  expect(isAllowed(client, ranges)).toBe(allowed);
});

test("a range holds exactly the addresses that share its first bits", () => {
  const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const text = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".");
  fc.assert(
    fc.property(address, address, fc.integer({ min: 0, max: 32 }), (range, client, length) => {
      const stored = normaliseRange(`${text(range)}/${length}`);
      const shared = length === 0 || range >>> (32 - length) === client >>> (32 - length);
      expect(isAllowed(text(client), [stored ?? ""])).toBe(shared);
    }),
  );
});
