import { expect, test } from "vitest";
import { clientAddress } from "./client-address";

test("without a proxy the socket's address counts, whatever the caller writes into X-Forwarded-For", () => {
  expect(clientAddress("203.0.113.9", "10.0.0.1", 0)).toBe("203.0.113.9");
  expect(clientAddress("::ffff:203.0.113.9", undefined, 0)).toBe("203.0.113.9");
  expect(clientAddress("2001:db8::1", undefined, 0)).toBe("2001:db8::1");
});

test("with proxies the address the outermost one saw counts, not what the caller put before it", () => {
  expect(clientAddress("10.0.0.2", "6.6.6.6, 203.0.113.9", 1)).toBe("203.0.113.9");
  expect(clientAddress("10.0.0.2", "6.6.6.6, 203.0.113.9, 10.0.0.1", 2)).toBe("203.0.113.9");
  expect(clientAddress("10.0.0.2", undefined, 1)).toBe("10.0.0.2");
});

test.each([
  ["203.0.113.5:4711", "203.0.113.5"],
  ["203.0.113.5:4712", "203.0.113.5"],
  ["[2001:db8::1]:99", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["2001:0DB8:0:0::0001", "2001:db8::1"],
  ["::ffff:102:304", "1.2.3.4"],
  ["::FFFF:1.2.3.4", "1.2.3.4"],
  ["fe80::1%eth0", "fe80::1%eth0"],
])("a proxy that writes %s means %s", (written, address) => {
  expect(clientAddress("10.0.0.2", `6.6.6.6, ${written}`, 1)).toBe(address);
});

test.each([
  "unknown",
  "_hidden",
  "1.2.3",
  "0x1.2.3.4",
  "1.2.3.4.5",
  "[::1",
  ":80",
  "a:b",
  "::1::",
  "1.2.3.4:x",
  '"::1"',
])(
  "where a proxy wrote %s, which is no address, the next one behind it counts, never what the caller wrote",
  (written) => {
    expect(clientAddress("10.0.0.2", `6.6.6.6, ${written}`, 1)).toBe("10.0.0.2");
    expect(clientAddress("10.0.0.2", `6.6.6.6, ${written}, 10.0.0.1`, 2)).toBe("10.0.0.1");
  },
);

test("more proxies than the header names: the first of it counts, with empty entries left out", () => {
  expect(clientAddress("10.0.0.2", " , 203.0.113.9,,", 5)).toBe("203.0.113.9");
  expect(clientAddress(undefined, undefined, 1)).toBe("");
});
