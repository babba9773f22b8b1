import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { requestedPageOf, setRequestedPage } from "./requested-page";

/** What a page is told of a request's address. */
function told(url: string, headers: Record<string, string> = {}): string | null {
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  Object.assign(request.headers, headers);
  setRequestedPage(request);
  return requestedPageOf(new Headers(request.headers as Record<string, string>));
}

test("a page knows its own address, whatever the caller says it is", () => {
  expect(told("/test/transfers?status=failed&offset=20")).toBe("/test/transfers?status=failed&offset=20");
  expect(told("/test")).toBe("/test");
  expect(told("/test", { "x-halcyon-page": "https://evil.example" })).toBe("/test");
});

test("what the browser's router adds for itself is no part of it", () => {
  expect(told("/test/approvals?open=txn_1&_rsc=1x2y")).toBe("/test/approvals?open=txn_1");
  expect(told("/test?_rsc=1x2y")).toBe("/test");
});

test("without the server in front nobody knows", () => {
  expect(requestedPageOf(new Headers())).toBeNull();
});
