import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PAGES } from "@/components/shell/navigation";
import type { FoundPayment } from "@/components/vault/methods/find-payments";
import { SEARCH_ACTIONS } from "./actions";
import { noPaymentFound } from "./no-payment-found";
import { ranked } from "./rank";

const sources = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => path.posix.join(folder, file));

/** Pages that nothing leads to on purpose, or that have a command of their own. */
const ELSEWHERE: Record<string, string> = {
  "/connect": "an application sends people there",
  "/inbox": "its own command, on the local stack only",
  "/welcome": "for accounts that are not there yet",
  "//notifications/confirm": "from an email",
  "//notifications/unsubscribe": "from an email",
  "//pay/[id]": "from a link",
  "//view/[id]": "from a link",
  "//": "the landing page",
  "//terms": "in the footer",
  "//system-status": "in the footer",
};

/** Returns the paths of all pages as actions name them. Pages of one thing are reached from their list. */
function pages(): string[] {
  const below = (folder: string, prefix: string) =>
    sources(folder)
      .filter((file) => path.basename(file) === "page.tsx")
      .map((file) => prefix + path.posix.relative(folder, path.posix.dirname(file)));
  const dashboard = below("app/(dashboard)/[network]", "/").filter((page) => !page.includes("["));
  return [...dashboard, ...below("app/(site)", "//")];
}

test("every page with something to do is a page or an action of the palette", () => {
  const reached = new Set([
    ...PAGES.map((page) => page.path || "/"),
    ...SEARCH_ACTIONS.map((action) => action.path.replace(/(?<=.)[?#].*$/, "") || "/"),
    ...Object.keys(ELSEWHERE),
  ]);
  expect(pages().filter((page) => !reached.has(page))).toEqual([]);
  for (const page of Object.keys(ELSEWHERE)) expect(pages(), page).toContain(page);
});

test.each([
  [
    "rotate",
    ["Create an API key", "Rotate a webhook secret", "Rotate the account secret", "Replace or revoke an API key"],
  ],
  ["revoke", ["End a session, or all others", "End all API keys", "Replace or revoke an API key"]],
  ["leak", ["End all API keys", "Replace or revoke an API key", "Rotate the account secret"]],
  ["emergency", ["End all API keys", "Pause or resume all agents", "Rotate the account secret", "Stop all signing"]],
  ["tax", ["Make a statement"]],
])("the palette knows what people call things: %s", (typed, found) => {
  expect(new Set(ranked(SEARCH_ACTIONS, typed).map(({ label }) => label))).toEqual(new Set(found));
});

test("every dialog of money is an action, and so is each place in a page that an action names", () => {
  const [, list = ""] = /export type Act = ([^;]+);/.exec(readFileSync("components/money/do-link.tsx", "utf8")) ?? [];
  const acts = [...list.matchAll(/"([a-z-]+)"/g)].map(([, act]) => act);
  expect(acts.length).toBeGreaterThanOrEqual(7);
  // Giving up a balance is offered where a balance can't be read.
  const offered = acts.filter((act) => act !== "abandon");
  for (const act of offered) expect(SEARCH_ACTIONS.map((action) => action.path)).toContain(`?do=${act}`);
  const text = [...sources("components"), ...sources("app")].map((file) => readFileSync(file, "utf8")).join("\n");
  const anchors = SEARCH_ACTIONS.flatMap((action) => /#(.+)$/.exec(action.path)?.[1] ?? []);
  expect(anchors.length).toBeGreaterThanOrEqual(5);
  for (const anchor of anchors) expect(text.includes(`id="${anchor}"`), anchor).toBe(true);
});

test("the palette says that older payments were not searched, but not if all were or one was found", () => {
  const none = { payments: [], found: 0, searched: 500, more: true };
  expect(noPaymentFound(none)).toBe("No payment found among your newest 500. Older ones are in Transfers.");
  expect(noPaymentFound({ ...none, more: false })).toBeUndefined();
  expect(noPaymentFound(undefined)).toBeUndefined();
  const transfer = {} as FoundPayment["transfer"];
  expect(noPaymentFound({ ...none, found: 1, payments: [{ transfer, amount: "1", memo: null }] })).toBeUndefined();
});
