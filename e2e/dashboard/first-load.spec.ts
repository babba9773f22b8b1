import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { expectAccessible, layoutShift, scriptKilobytes } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { productURL } from "./owner";

const KEYS = "/test/developers/keys";
const LIMIT = 200_000;
/** Text that only code of a wallet, of the vault's SDK or of a prover holds. */
const HEAVY = ["eth_signTypedData", "verifyingContract", "EIP712Domain", "secp256k1", "joinProducts"];
/**
 * The pages, and the most kilobytes of compressed JavaScript each may load: what it had at commit 8592889, when the
 * palette, charts, notifications and the rest were not there yet. What is new loads when it is used.
 */
const PAGES = {
  // What was the home page then is /balances now.
  "": 216,
  "/balances": 216,
  "/transfers": 211,
  "/agents": 212,
  "/agents/new": 259,
  "/approvals": 222,
  "/developers/keys": 208,
  "/developers/webhooks": 215,
  "/developers/events": 207,
  "/settings": 207,
  "/settings/notifications": 207,
  "/settings/security": 217,
  "/settings/audit-log": 216,
};

// One filled account for all of them.
test.describe.configure({ mode: "default" });

/** What a page complains of: errors in the console (a violated policy is one), exceptions, requests to strangers. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || /Content Security Policy/.test(message.text()))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${productURL}/`) && !/^(data|blob):/.test(url)) complaints.push(`asked ${url}`);
  });
  return complaints;
}

/** Widths at which no page scrolls sideways: 1280 px at 400 % (WCAG 1.4.10), and a tablet. */
const NARROW = [320, 820];

/** By how many pixels the page is wider than what shows it, at a width. */
async function sideways(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Until nothing more is loaded. The event stream stays open, so the network never rests for good. */
async function loaded(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await expect(async () => {
    const count = () => page.evaluate(() => performance.getEntriesByType("resource").length);
    const before = await count();
    await page.waitForTimeout(700);
    expect(await count()).toBe(before);
  }).toPass();
}

test("the key page's first load is at most 200 kB of compressed JavaScript, with no wallet, vault or prover in it", async ({
  page,
  filled,
  playwright,
}) => {
  await signedIn(page, filled.walletKey, playwright);
  const complaints = complaintsOf(page);
  const scripts: Response[] = [];
  page.on("response", (response) => {
    // What the browser runs: the polyfills for browsers without modules are never fetched.
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  await page.goto(KEYS);
  await loaded(page);
  const texts = await Promise.all(scripts.map(async (script) => ({ url: script.url(), body: await script.body() })));
  expect(texts.length).toBeGreaterThan(3);
  const bytes = texts.reduce((sum, { body }) => sum + gzipSync(body, { level: 6 }).length, 0);
  test.info().annotations.push({ type: "first load", description: `${bytes} bytes in ${texts.length} scripts` });
  expect(bytes).toBeLessThanOrEqual(LIMIT);
  const heavy = texts.flatMap(({ url, body }) =>
    HEAVY.filter((marker) => body.includes(marker)).map((marker) => `${marker} in ${url}`),
  );
  expect(heavy).toEqual([]);
  expect(page.workers()).toEqual([]);
  expect(complaints).toEqual([]);

  // The markers are those of the code in question: it is found where it is used.
  const codeOf = async (path: string) => (await page.request.get(path)).text();
  const lazy = scripts.length;
  await unlock(page);
  const opened = await Promise.all(scripts.slice(lazy).map((script) => script.text()));
  const used = [...opened, await codeOf("/vault/worker.js"), await codeOf("/prover/worker.js")].join("\n");
  expect(HEAVY.filter((marker) => !used.includes(marker))).toEqual([]);
});

test("every page of a filled account keeps its policy and its budget of scripts, asks no stranger, and is accessible in both themes", async ({
  page,
  filled,
  playwright,
}) => {
  test.setTimeout(600_000);
  await signedIn(page, filled.walletKey, playwright);
  const complaints = complaintsOf(page);
  for (const [path, budget] of Object.entries(PAGES)) {
    const reply = await page.goto(`/test${path}`);
    expect(reply?.status(), path).toBe(200);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    await loaded(page);
    const kilobytes = await scriptKilobytes(page);
    expect(kilobytes, path).toBeGreaterThan(50);
    expect(kilobytes, path).toBeLessThanOrEqual(budget);
    await expectAccessible(page);
    for (const width of NARROW) expect(await sideways(page, width), `${path} at ${width}`).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(complaints, path).toEqual([]);
  }
});

test("nothing moves while the overview, balances, keys and transfers load", async ({ page, filled, playwright }) => {
  await signedIn(page, filled.walletKey, playwright);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  for (const path of ["/test", "/test/balances", KEYS, "/test/transfers"]) {
    await page.goto(path);
    await loaded(page);
    expect(await layoutShift(page), path).toBeLessThanOrEqual(0.01);
  }
});

test("the command palette opens with Ctrl K, finds a place by a few letters, and goes there", async ({
  page,
  filled,
  playwright,
}) => {
  await signedIn(page, filled.walletKey, playwright);
  await page.goto("/test/balances");
  await loaded(page);
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox", { name: "Search or do" });
  await expect(input).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("webh");
  await expect(page.getByRole("option").first()).toHaveText("Webhooks");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/test\/developers\/webhooks$/);
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
});
