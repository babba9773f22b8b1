import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepPage } from "./keep-page";
import { PAUSE_MS } from "./service-watch";

const PAGE = "http://localhost/test/transfers";
let status: number;
let loaded: string[];
let asked: number;
let release: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  loaded = [];
  vi.stubGlobal("navigation", new EventTarget());
  vi.stubGlobal("location", { origin: "http://localhost", assign: (url: string) => loaded.push(url) });
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked++;
    return { status };
  });
  release = keepPage();
});
afterEach(async () => {
  release();
  // Otherwise the next file would find a service that is still asked whether it responds.
  status = 200;
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Reports that the page is about to be left. Returns whether it may be. */
function leave(what: object = {}): boolean {
  const destination = { url: PAGE, sameDocument: false };
  const event = new Event("navigate", { cancelable: true });
  Object.assign(event, { navigationType: "push", userInitiated: false, destination, formData: null }, what);
  return (globalThis as unknown as { navigation: EventTarget }).navigation.dispatchEvent(event);
}

test("a load that no person began waits for the service: a response of a proxy never replaces the page", async () => {
  status = 503;
  expect(leave()).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect([asked > 0, loaded]).toEqual([true, []]);
});

test("a service of another version gets the page loaded afresh", async () => {
  status = 200;
  expect(leave()).toBe(false);
  await vi.waitFor(() => expect(loaded).toEqual([PAGE]), { timeout: 30_000 });
  expect(leave()).toBe(true);
});

test("a failed render of the page that is shown does not take the place of the one that was chosen", async () => {
  status = 200;
  release();
  release = keepPage(() => "/test/agents");
  expect(leave()).toBe(false);
  await vi.waitFor(() => expect(loaded).toEqual(["/test/agents"]), { timeout: 30_000 });
});

test.each([
  ["a link that was pressed", { userInitiated: true }],
  ["Back", { navigationType: "traverse" }],
  ["a dialog's address", { destination: { url: `${PAGE}?do=send`, sameDocument: true } }],
  [
    "a file made on the page",
    { destination: { url: "blob:http://localhost/1", sameDocument: false }, downloadRequest: "a.pdf" },
  ],
  ["another site", { destination: { url: "https://identity.example/", sameDocument: false } }],
])("%s is not held", (_, what) => {
  expect(leave(what)).toBe(true);
});
