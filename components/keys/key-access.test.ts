import { expect, test } from "vitest";
import { accessOf } from "./key-access";

test("what a key may do stands below its name, and reads like no other name", () => {
  expect(accessOf({ scopes: null, allowed_ips: null })).toBe("All access");
  expect(accessOf({ scopes: null, allowed_ips: ["10.0.0.1"] })).toBe("All access, from listed addresses");
  expect(accessOf({ scopes: ["read", "pay"], allowed_ips: null })).toBe("read, pay");
});
