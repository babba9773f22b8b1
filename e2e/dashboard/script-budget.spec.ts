/*
 * How much JavaScript the pages that first-load.spec.ts does not open may load before anyone has pressed anything, in kB
 * compressed with gzip (script-budget.json): what they had at commit 8592889, and later ones the least that any had
 * then. A page that needs more has code to load later.
 */
import type { Page } from "@playwright/test";
import { scriptKilobytes } from "./checks";
import { expect, signedIn, test } from "./fixtures";
import { productURL } from "./owner";
import BUDGET from "./script-budget.json" with { type: "json" };

/** Kilobytes of the scripts that the page has loaded; until nothing more comes. */
async function kilobytesOf(page: Page): Promise<number> {
  const count = () => page.evaluate(() => performance.getEntriesByType("resource").length);
  await page.waitForLoadState("load");
  await expect(async () => {
    const before = await count();
    await page.waitForTimeout(500);
    expect(await count()).toBe(before);
  }).toPass();
  return scriptKilobytes(page);
}

test("no other page loads more JavaScript than its budget either", async ({ page, browser, filled, playwright }) => {
  test.setTimeout(240_000);
  await signedIn(page, filled.walletKey, playwright);
  const first = async (path: string, list: string, id: string): Promise<string | undefined> => {
    const response = await page.request.get(`/api/${path}?network=test`);
    const found = ((await response.json()) as Record<string, Record<string, string>[]>)[list];
    return found?.[0]?.[id];
  };
  const added = await page.request.post("/api/webhooks?network=test", {
    data: { url: "https://example.com/budget", events: ["transfer.confirmed"] },
    headers: { origin: productURL },
  });
  const { webhook_id: endpoint } = (await added.json()) as { webhook_id: string };
  const event = await first("events", "events", "event_id");
  const replayed = await page.request.post(`/api/webhooks/${endpoint}/replay/${event}?network=test`, {
    data: {},
    headers: { origin: productURL },
  });
  const { delivery_id: delivery } = (await replayed.json()) as { delivery_id: string };
  const ids: Record<string, string | undefined> = {
    transfer: await first("transfers", "transfers", "transfer_id"),
    agent: await first("agents", "agents", "account_id"),
    event,
    webhook: endpoint,
    delivery,
  };
  const over: string[] = [];
  const figures: Record<string, number> = {};
  for (const [path, most] of Object.entries(BUDGET)) {
    const [, name] = /\{(\w+)\}/.exec(path) ?? [];
    if (name !== undefined) expect(ids[name], path).toBeDefined();
    // Each with an empty cache, as at a first visit; the landing page and the sign-in without a session.
    const context = await browser.newContext();
    const fresh = await context.newPage();
    if (path.startsWith("/test")) await context.addCookies(await page.context().cookies());
    await fresh.goto(name === undefined ? path : path.replace(/\{\w+\}/, ids[name] as string));
    const kilobytes = await kilobytesOf(fresh);
    figures[path] = Math.round(kilobytes);
    if (kilobytes > most) over.push(`${path}: ${kilobytes.toFixed(1)} kB of ${most} kB`);
    await context.close();
  }
  test.info().annotations.push({ type: "scripts, kB", description: JSON.stringify(figures) });
  expect(over).toEqual([]);
});
