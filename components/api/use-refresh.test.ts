import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holdSignIn, isSessionOver, sessionIsBack } from "./sign-in-again";
import { mayRender } from "./use-refresh";

const UNAUTHORIZED = { error: { code: "unauthorized", message: "Sign in.", reason: "session_expired" } };
const OTHER = { error: { code: "invalid_request", message: "Something else." } };
const respond = (status: number, body: object) => vi.stubGlobal("fetch", async () => Response.json(body, { status }));

beforeEach(() => vi.stubGlobal("location", { origin: "http://localhost", href: "http://localhost/test" }));
afterEach(() => {
  sessionIsBack();
  vi.unstubAllGlobals();
});

test("a page refreshes while its session lasts", async () => {
  respond(200, { sessions: [] });
  expect(await mayRender("test")).toBe(true);
});

test("a page whose session has ended does not refresh, which would make it the sign-in, and asks for a signature", async () => {
  respond(401, UNAUTHORIZED);
  expect(await mayRender("test")).toBe(false);
  expect(isSessionOver()).toBe(true);
});

test("a page that can't find out refreshes, unless a dialog about money is open", async () => {
  respond(400, OTHER);
  expect(await mayRender("test")).toBe(true);
  const release = holdSignIn();
  expect(await mayRender("test")).toBe(false);
  release();
});

test.each([
  ["a proxy says that there is no service", () => respond(503, {})],
  ["no one responds", () => vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused")))],
])("a page keeps what it has while %s", async (_, fail) => {
  vi.useFakeTimers();
  fail();
  const may = mayRender("test");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await may).toBe(false);
  vi.useRealTimers();
});
