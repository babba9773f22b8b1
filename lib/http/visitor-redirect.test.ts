import { expect, test } from "vitest";
import { DOORS, type Door, doorOf } from "./doors";
import { visitorRedirect } from "./visitor-redirect";

const redirectOf = (method: string, url: string, wallet?: string) =>
  visitorRedirect({ method, url }, doorOf(url.split("?")[0] ?? "") as Door, wallet);

test("a visitor of the dashboard is sent to the sign-in without a page being rendered", () => {
  const asked = "/test/approvals?open=txn_1";
  for (const method of ["GET", "HEAD"]) {
    expect(redirectOf(method, asked)).toBe(`/sign-in?next=${encodeURIComponent(asked)}`);
    // Next's router asks for a page's data like this.
    expect(redirectOf(method, `${asked}&_rsc=1x2y`)).toBe(`/sign-in?next=${encodeURIComponent(asked)}`);
  }
  expect(redirectOf("GET", "/live")).toBe("/sign-in?next=%2Flive");
});

test("neither a session's page, nor an action, nor any other door is redirected", () => {
  expect(redirectOf("GET", "/test", `0x${"a".repeat(40)}`)).toBeUndefined();
  expect(redirectOf("POST", "/test")).toBeUndefined();
  for (const [name, door] of Object.entries<Door>(DOORS)) {
    if (door === DOORS.dashboard) continue;
    expect(visitorRedirect({ method: "GET", url: "/test" }, door, undefined), name).toBeUndefined();
  }
});
