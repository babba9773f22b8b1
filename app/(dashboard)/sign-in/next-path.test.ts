import { expect, test } from "vitest";
import { nextPath } from "./next-path";

test("a sign-in leads back to the page of the dashboard that asked for it", () => {
  expect(nextPath("/live/developers/keys?page=2")).toBe("/live/developers/keys?page=2");
  expect(nextPath("/test")).toBe("/test");
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
])("a sign-in never leads to %s", (asked) => expect(nextPath(asked)).toBe("/test"));
