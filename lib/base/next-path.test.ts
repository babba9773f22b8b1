import { expect, test } from "vitest";
import { networkOfNext, nextPath } from "./next-path";

test("a sign-in leads back to the page of the dashboard that asked for it", () => {
  expect(nextPath("/live/developers/keys?page=2")).toBe("/live/developers/keys?page=2");
  expect(nextPath("/test")).toBe("/test");
  const pay = "/pay/payreq_01KADJ2C9B3T6Y0V8ZQ4N5M7WX?network=live";
  expect(nextPath(pay)).toBe(pay);
  expect([networkOfNext(pay), networkOfNext("/live/requests?page=2"), networkOfNext("/test")]).toEqual([
    "live",
    "live",
    "test",
  ]);
});

test.each([
  undefined,
  ["/test", "/live"],
  "https://evil.example/test",
  "//evil.example/test",
  "/\\evil.example/test",
  "\\\\evil.example/test",
  "javascript:alert(1)",
  "/api/auth/signout",
  "/test/../api/auth/signout",
  "/testing",
  "/pay/elsewhere",
])("a sign-in never leads to %s", (asked) => expect(nextPath(asked)).toBe("/test"));
