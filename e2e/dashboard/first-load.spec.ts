import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { complaintsOf, expectAccessible, layoutShift, loaded, scriptKilobytes } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import BUDGET from "./script-budget.json" with { type: "json" };

const KEYS = "/test/developers/keys";
const LIMIT = 200_000;
/** Strings that only the code of a wallet, of the vault's SDK or of a prover contains. */
const HEAVY = ["eth_signTypedData", "verifyingContract", "EIP712Domain", "secp256k1", "joinProducts"];
/** The most kilobytes of compressed JavaScript that each page may load: script-budget.spec.ts says why. */
const PAGES = BUDGET["first-load.spec.ts"];

// One filled account for all tests.
test.describe.configure({ mode: "default" });

/** Pages on which nothing moves while they load. */
const STILL = ["/test", "/test/balances", KEYS, "/test/transfers"];

/** Widths at which no page may scroll sideways: 1280 px at 400 % and at 200 % (WCAG 1.4.10), and a tablet. */
const NARROW = [320, 640, 820];

/** Returns by how many pixels the page overflows at a width. */
async function sideways(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
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
    // Only what the browser runs: polyfills for browsers without modules are never fetched.
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

  // Proves that the strings belong to the code in question: they occur where it is used.
  const codeOf = async (path: string) => (await page.request.get(path)).text();
  const lazy = scripts.length;
  await unlock(page);
  const opened = await Promise.all(scripts.slice(lazy).map((script) => script.text()));
  const used = [...opened, await codeOf("/vault/worker.js"), await codeOf("/prover/worker.js")].join("\n");
  expect(HEAVY.filter((marker) => !used.includes(marker))).toEqual([]);
});

test("every page of a filled account keeps its policy and its budget of scripts, asks no stranger, is accessible in both themes, and stands still while it loads", async ({
  page,
  filled,
  playwright,
}) => {
  await signedIn(page, filled.walletKey, playwright);
  const complaints = complaintsOf(page);
  for (const [path, budget] of Object.entries(PAGES)) {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const reply = await page.goto(path);
    expect(reply?.status(), path).toBe(200);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    await loaded(page);
    if (STILL.includes(path)) expect(await layoutShift(page), path).toBeLessThanOrEqual(0.01);
    const kilobytes = await scriptKilobytes(page);
    expect(kilobytes, path).toBeGreaterThan(50);
    expect(kilobytes, path).toBeLessThanOrEqual(budget);
    await expectAccessible(page);
    for (const width of NARROW) expect(await sideways(page, width), `${path} at ${width}`).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(complaints, path).toEqual([]);
  }
});

test("times shown in UTC stay so after a reload, without a difference to what the server renders; a link that takes long shows at once that it loads", async ({
  page,
  filled,
  playwright,
}) => {
  await signedIn(page, filled.walletKey, playwright);
  const complaints = complaintsOf(page);
  await page.goto("/test/transfers");
  await loaded(page);
  const time = page.locator("main time").first();
  await expect(time).not.toContainText("UTC");
  const choose = async (command: string) => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
    await page.keyboard.type("times in");
    await expect(page.getByRole("option").first()).toHaveText(command);
    await page.keyboard.press("Enter");
  };
  await choose("Show times in UTC");
  await expect(time).toContainText("UTC");
  await page.reload();
  await expect(time).toContainText("UTC");
  await loaded(page);
  await choose("Show times in your time zone");
  await expect(time).not.toContainText("UTC");
  await page.reload();
  await loaded(page);
  await expect(time).not.toContainText("UTC");
  expect(complaints).toEqual([]);

  // A link to a page that takes long shows at once that it loads.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isDetail = (url: URL) => url.searchParams.has("_rsc") && url.pathname.startsWith("/test/transfers/");
  await page.route(isDetail, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await page.getByRole("table", { name: "Transfers" }).getByRole("link").first().click();
  await expect(page.getByRole("status", { name: "Loading" })).toBeVisible();
  release();
  await expect(page.getByRole("heading", { name: /^Payment/ })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
});

test("code that no longer loads is reported over the page, which keeps what was typed, and can be tried again", async ({
  page,
  filled,
  playwright,
}) => {
  await signedIn(page, filled.walletKey, playwright);
  await page.goto("/test/requests/new");
  await loaded(page);
  await page.getByLabel("Note").fill("Typed before the update");
  const chunks = "**/_next/static/chunks/**";
  await page.route(chunks, (route) => route.abort());
  const notice = page.getByRole("alert").filter({ hasText: "This part of the page could not be loaded." });
  await page.getByRole("button", { name: "Search and commands" }).click();
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByLabel("Note")).toHaveValue("Typed before the update");
  await page.unroute(chunks);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(notice).toBeHidden();
  await expect(page.getByLabel("Note")).toHaveValue("Typed before the update");

  // The frame of every dialog is loaded on demand too.
  const { agents } = await filled.client.agents.list();
  await page.goto(`/test/agents/${agents[0]?.account_id}`);
  await loaded(page);
  await page.route(chunks, (route) => route.abort());
  await page.getByRole("button", { name: "Replace key", exact: true }).click();
  await expect(notice).toBeVisible();
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(notice).toBeHidden();
});
