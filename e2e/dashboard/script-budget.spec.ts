/*
 * How much JavaScript each page may load before anyone presses anything, in kB compressed with gzip
 * (script-budget.json, by the test that opens the page): what it loaded at commit 8592889, or for later pages what a
 * page of its kind loaded then. The landing page, payment links and shared views have what they need today and one
 * percent. A page that exceeds its limit should load code later. scripts/script-budget.test.ts checks that no page is
 * missing.
 */
import type { Page } from "@playwright/test";
import { loaded, scriptKilobytes } from "./checks";
import { expect, signedIn, test } from "./fixtures";
import { productURL } from "./owner";
import BUDGET from "./script-budget.json" with { type: "json" };
import { call } from "./webhook-fixtures";

/** What is measured for addresses that lead nowhere. */
const NOT_FOUND = ["/test/{nowhere}", "/nope", "/nothing/is/here"];
const PAGES = BUDGET["script-budget.spec.ts"];

test("no other page loads more JavaScript than its budget either", async ({ page, browser, filled, playwright }) => {
  await signedIn(page, filled.walletKey, playwright);
  const first = async (path: string, list: string, id: string): Promise<string | undefined> => {
    const response = await page.request.get(`/v1/${path}?network=test`);
    const found = ((await response.json()) as Record<string, Record<string, string>[]>)[list];
    return found?.[0]?.[id];
  };
  const added = await page.request.post("/v1/webhooks?network=test", {
    data: { url: "https://example.com/budget", events: ["transfer.confirmed"] },
    headers: { origin: productURL },
  });
  const { webhook_id: endpoint } = (await added.json()) as { webhook_id: string };
  const event = await first("events", "events", "event_id");
  const replayed = await page.request.post(`/v1/webhooks/${endpoint}/replay/${event}?network=test`, {
    data: {},
    headers: { origin: productURL },
  });
  const { delivery_id: delivery } = (await replayed.json()) as { delivery_id: string };
  const { client } = filled;
  const payments = [{ to: "@demo", amount: "0.1" }];
  const ids: Record<string, string | undefined> = {
    transfer: await first("transfers", "transfers", "transfer_id"),
    agent: await first("accounts/me/agents", "agents", "account_id"),
    event,
    webhook: endpoint,
    delivery,
    request: (await client.paymentRequests.create({ amount: "1" })).payment_request_id,
    schedule: (await client.schedules.create({ rule: { frequency: "once", start: "2100-01-01" }, payments }))
      .schedule_id,
    payout: (await call<{ payout_id: string }>(filled, "POST", "/v1/payouts", { rows: payments })).payout_id,
    view: (await client.sharedViews.create({ from: "2020-01-01", to: "2099-12-31", label: "Scripts" })).shared_view_id,
    guide: "webhooks",
    chapter: "transfers",
    code: "not_found",
    nowhere: "there-is-nothing-here",
  };
  const stranger = await (await browser.newContext()).newPage();
  const over: string[] = [];
  const figures: Record<string, number> = {};
  const measure = async (visit: Page, paths: string[]) => {
    for (const path of paths) {
      const [, name] = /\{(\w+)\}/.exec(path) ?? [];
      if (name !== undefined) expect(ids[name], path).toBeDefined();
      const reply = await visit.goto(name === undefined ? path : path.replace(/\{\w+\}/, ids[name] as string));
      expect(reply?.status(), path).toBe(NOT_FOUND.includes(path) ? 404 : 200);
      // Someone who is signed in stays in the dashboard.
      if (name === "nowhere") await expect(visit.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
      await loaded(visit);
      // A script counts wherever it came from, also from the cache.
      const [kilobytes, most] = [await scriptKilobytes(visit), PAGES[path as keyof typeof PAGES]];
      figures[path] = Math.round(kilobytes);
      if (kilobytes > most) over.push(`${path}: ${kilobytes.toFixed(1)} kB of ${most} kB`);
    }
  };
  // Pages mostly wait until nothing more loads: both lists at once.
  const isOwn = (path: string) => path.startsWith("/test");
  const paths = Object.keys(PAGES);
  await Promise.all([
    measure(page, paths.filter(isOwn)),
    measure(
      stranger,
      paths.filter((path) => !isOwn(path)),
    ),
  ]);
  await stranger.context().close();
  expect(Object.keys(figures)).toHaveLength(paths.length);
  test.info().annotations.push({ type: "scripts, kB", description: JSON.stringify(figures) });
  expect(over).toEqual([]);
});
