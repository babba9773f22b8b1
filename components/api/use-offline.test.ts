import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isOffline } from "./use-offline";

const browser = { onLine: true };
let respond: (reached: boolean) => void;

beforeEach(() => {
  vi.stubGlobal("navigator", browser);
  vi.stubGlobal(
    "fetch",
    vi.fn(
      () => new Promise((resolve, reject) => (respond = (reached) => (reached ? resolve("") : reject(new Error())))),
    ),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([true, false])("without a network, a browser is offline unless the service responds: %s", async (reached) => {
  browser.onLine = false;
  const offline = isOffline();
  respond(reached);
  expect(await offline).toBe(!reached);
});

test("with a network the service is not asked", async () => {
  browser.onLine = true;
  expect(await isOffline()).toBe(false);
  expect(fetch).not.toHaveBeenCalled();
});

test("a network that comes back while the service is asked is not missed", async () => {
  browser.onLine = false;
  const offline = isOffline();
  browser.onLine = true;
  respond(false);
  expect(await offline).toBe(false);
});
