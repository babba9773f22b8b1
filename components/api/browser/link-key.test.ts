import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetLinkKey, takeLinkKey } from "./link-key";

let kept: Map<string, string>;
let address: URL;

beforeEach(() => {
  kept = new Map();
  address = new URL("http://localhost/views/sv_1?from=mail#secret");
  vi.stubGlobal("location", address);
  vi.stubGlobal("history", {
    state: { page: 1 },
    replaceState: vi.fn((_state: unknown, _title: string, to: string) => {
      address.href = new URL(to, address).href;
    }),
  });
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("a link's key leaves the address bar and the history as soon as it is read", () => {
  expect(takeLinkKey("sv_1")).toBe("secret");
  expect(address.href).toBe("http://localhost/views/sv_1?from=mail");
  expect(history.replaceState).toHaveBeenCalledWith({ page: 1 }, "", "/views/sv_1?from=mail");
});

test("after a reload the tab still has the key, of this link alone, until it is forgotten", () => {
  takeLinkKey("sv_1");
  expect([takeLinkKey("sv_1"), takeLinkKey("sv_2")]).toEqual(["secret", null]);
  forgetLinkKey("sv_1");
  expect(takeLinkKey("sv_1")).toBeNull();
});

test("a browser without storage opens the link all the same, without the key in its address", () => {
  vi.stubGlobal("sessionStorage", undefined);
  expect(takeLinkKey("sv_1")).toBe("secret");
  expect(address.hash).toBe("");
  expect(takeLinkKey("sv_1")).toBeNull();
});
