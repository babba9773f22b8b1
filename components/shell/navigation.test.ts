import { expect, test } from "vitest";
import { entriesWith, isCurrent, PAGES, tabsAt } from "./navigation";

const names = (pending: number) => entriesWith(pending).map(({ name }) => name);

test("the navigation has eight entries, and approvals come first while payments wait for them", () => {
  expect(names(0)).toEqual([
    "Overview",
    "Balances",
    "Payments",
    "Agents",
    "Approvals",
    "API keys",
    "Webhooks",
    "Settings",
  ]);
  expect(names(2)).toEqual(["Approvals", ...names(0).filter((name) => name !== "Approvals")]);
});

test.each([
  ["/test", "Overview"],
  ["/test/payouts/po_1", "Payments"],
  ["/test/statements", "Payments"],
  ["/test/developers/events", "Webhooks"],
  ["/test/settings/security/limits", "Settings"],
  ["/test/settings", "Settings"],
])("each page belongs to one entry: %s", (pathname, entry) => {
  const current = entriesWith(0).filter((each) => isCurrent(pathname, "/test", each));
  expect(current.map(({ name }) => name)).toEqual([entry]);
});

test("tabs stand above the pages that they lead to, and above none behind them", () => {
  expect(tabsAt("/test/payouts", "/test")?.pages.map(({ name }) => name)).toEqual([
    "Transfers",
    "Payouts",
    "Requests",
    "Schedules",
  ]);
  expect(tabsAt("/test/settings/audit-log", "/test")?.entry).toBe("Settings");
  for (const path of ["", "/agents", "/payouts/new", "/transfers/tr_1", "/statements"])
    expect(tabsAt(`/test${path}`, "/test"), path).toBeNull();
});

test("each page has a name and a shortcut of its own", () => {
  for (const key of ["name", "path", "shortcut"] as const) {
    const values = PAGES.flatMap((page) => page[key] ?? []);
    expect(new Set(values).size, key).toBe(values.length);
  }
});
