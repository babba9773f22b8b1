import { createContext, runInContext } from "node:vm";
import { expect, it } from "vitest";
import { RELOAD_WITHOUT_SCRIPTS } from "./reload-script";

const SCRIPT = { target: { src: "http://localhost/_next/static/chunks/a.js" } };

/** Pages of one tab, one loaded after the other. */
function tab() {
  const kept = new Map<string, string>();
  let now = 1_000_000;
  let reloads = 0;
  return {
    pass: (ms: number) => {
      now += ms;
    },
    reloads: () => reloads,
    page(readyState = "loading") {
      let heard: (event: object) => void = () => {};
      const window: Record<string, unknown> = {
        document: { readyState },
        sessionStorage: {
          getItem: (name: string) => kept.get(name) ?? null,
          setItem: (name: string, value: string) => kept.set(name, value),
        },
        location: {
          reload: () => {
            reloads += 1;
          },
        },
        Date: { now: () => now },
        addEventListener: (_: string, listener: typeof heard) => {
          heard = listener;
        },
      };
      window.window = window;
      runInContext(RELOAD_WITHOUT_SCRIPTS, createContext(window));
      return heard;
    },
  };
}

it.each([
  ["a script", SCRIPT],
  ["a style", { target: { href: "http://localhost/_next/static/chunks/a.css" } }],
])("a page that lacks %s of its version is loaded again, once however many are missing", (_, event) => {
  const { page, reloads } = tab();
  const fails = page();
  fails(event);
  fails(event);
  expect(reloads()).toBe(1);
});

it.each([
  ["a picture of someone else's", { target: { src: "https://elsewhere.test/a.png" } }, "loading"],
  ["an error of a script", { target: {} }, "loading"],
  ["an error without a target", {}, "loading"],
  ["a script of a page that is whole", SCRIPT, "complete"],
])("%s loads no page again", (_, event, readyState) => {
  const { page, reloads } = tab();
  page(readyState)(event);
  expect(reloads()).toBe(0);
});

it("gives up after five times, until half a minute has passed", () => {
  const { page, pass, reloads } = tab();
  for (let n = 0; n < 9; n++) page()(SCRIPT);
  expect(reloads()).toBe(5);
  pass(30_000);
  page()(SCRIPT);
  expect(reloads()).toBe(6);
});
