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
