import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { REMEMBER_PRESS } from "./early-press-script";

/** A page whose scripts have not loaded yet. */
function page({ hasSearch = true } = {}) {
  const listeners = new Map<string, (event: object) => void>();
  const search = { name: "search" };
  const window: Record<string, unknown> = {
    document: { querySelector: (selector: string) => (hasSearch && selector === '[data-early="/"]' ? search : null) },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  };
  window.window = window;
  runInContext(REMEMBER_PRESS, createContext(window));
  return {
    search,
    window,
    /** Presses a key. Returns whether the browser does what it does with that key. */
    key(
      key: string | undefined,
      { within = "main", ...modifiers }: { within?: string; ctrlKey?: true; metaKey?: true },
    ) {
      let isKept = true;
      const target = { closest: (selector: string) => (selector.split(",").includes(within) ? target : null) };
      const preventDefault = () => {
        isKept = false;
      };
      listeners.get("keydown")?.({ key, target, preventDefault, ...modifiers });
      return isKept;
    },
  };
}

test.each([
  ["/", {}],
  ["k", { ctrlKey: true }],
  ["K", { metaKey: true }],
  ["k", { metaKey: true, within: "input" }],
] as const)("%s with %o opens search once the scripts have run", (key, how) => {
  const { window, search, ...early } = page();
  expect(early.key(key, how)).toBe(false);
  expect(window.halcyonPressed).toBe(search);
});

test.each([
  ["/", { within: "input" }],
  ["/", { within: "textarea" }],
  ["/", { ctrlKey: true }],
  ["k", {}],
  ["Enter", {}],
  [undefined, {}],
] as const)("%s with %o is left to the browser", (key, how) => {
  const { window, ...early } = page();
  expect(early.key(key, how)).toBe(true);
  expect(window.halcyonPressed).toBeUndefined();
});

test("a key is left to the page's scripts once they have run, and to the browser where there is no search", () => {
  const { window, ...late } = page();
  window.halcyonPressed = null;
  expect(late.key("/", {})).toBe(true);
  expect(window.halcyonPressed).toBeNull();
  expect(page({ hasSearch: false }).key("/", {})).toBe(true);
});
