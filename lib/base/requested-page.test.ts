import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { requestedPageOf, setRequestedPage } from "./requested-page";

/** Returns the address that a page sees of its request. */
function pageOf(url: string, headers: Record<string, string> = {}): string | null {
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  Object.assign(request.headers, headers);
  setRequestedPage(request);
  return requestedPageOf(new Headers(request.headers as Record<string, string>));
}

test("a page knows its own address, whatever the caller says it is", () => {
  expect(pageOf("/test/transfers?status=failed&offset=20")).toBe("/test/transfers?status=failed&offset=20");
  expect(pageOf("/test")).toBe("/test");
  expect(pageOf("/test", { "x-halcyon-page": "https://evil.example" })).toBe("/test");
});

test("what the browser's router adds for itself is no part of it", () => {
  expect(pageOf("/test/approvals?open=txn_1&_rsc=1x2y")).toBe("/test/approvals?open=txn_1");
  expect(pageOf("/test?_rsc=1x2y")).toBe("/test");
});

test("without the server in front no one knows", () => {
  expect(requestedPageOf(new Headers())).toBeNull();
});
