import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "@playwright/test";
import { generatePrivateKey } from "viem/accounts";
import { injectWallet, WALLET_NAME } from "@/e2e/dashboard/wallet";
import { Halcyon } from "@/sdk/client";
import { ROOT } from "../stack/config";

const FOLDER = path.join(ROOT, "docs/tour");
const MOST_BYTES = 300_000;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 900 };
/** How small a picture is on its sheet. */
const SCALE = 0.45;
const SCHEMES = ["light", "dark"] as const;
const STATES = ["empty", "loading", "full", "failing"] as const;
/** What a page asks the service for, and how it finds out whether it responds. */
const ASKED = /\/(api|v1)\/|[?&]_rsc=/;
const ASKED_OR_LOOKED = /\/(api|v1)\/|[?&]_rsc=|\/(readyz|healthz)$/;
const SILENT = "Halcyon does not respond";

const INTRODUCTION = `# Empty, loading, full and failing

Screens of a new account, while they load, with money, and while the service does not respond, on a desktop and a phone.
\`npm run tour\` takes these pictures.
`;

/** The pages, by the links that lead to each. */
const SCREENS: Record<string, readonly string[]> = {
  overview: ["/test"],
  balances: ["/test/balances"],
  transfers: ["/test/transfers"],
  agents: ["/test/agents"],
  "request-log": ["/test/developers/webhooks", "/test/developers/requests"],
  security: ["/test/settings", "/test/settings/security"],
};

type Scheme = (typeof SCHEMES)[number];
/** The pictures of a state: desktop and phone, in each theme. */
type Shots = Record<Scheme, readonly [desktop: Buffer, phone: Buffer]>;

/**
 * Takes a sheet of each screen in each theme: empty, loading, full and failing, on a desktop and a phone. Writes the page
 * that shows them.
 *
 * @param full a page of an account with something on every screen, unlocked
 */
export async function takeStates(browser: Browser, url: string, full: Page): Promise<void> {
  const empty = await emptyAccount(browser, url);
  const sheets: string[] = [];
  for (const [name, way] of Object.entries(SCREENS)) {
    const states = { empty: await shownEmpty(empty, way), ...(await shownFull(full, way)) };
    for (const scheme of SCHEMES) {
      const file = `${name}-${scheme}.jpg`;
      await writeSheet(
        browser,
        file,
        STATES.map((state) => [state, states[state][scheme]] as const),
      );
      sheets.push(`\n![${name.replace("-", " ")}, ${scheme}](${file})\n`);
      console.log(file);
    }
  }
  writeFileSync(path.join(FOLDER, "states.md"), INTRODUCTION + sheets.join(""));
}

/** Returns the unlocked dashboard of a new account. */
async function emptyAccount(browser: Browser, url: string): Promise<Page> {
  const walletKey = generatePrivateKey();
  await new Halcyon({ url, walletKey }).account.create({ handle: `new-${Date.now().toString(36)}` });
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: "reduce" });
  // The bundler names functions with a helper that pages lack.
  await context.addInitScript({ content: "globalThis.__name = (named) => named;" });
  const page = await context.newPage();
  await injectWallet(page, walletKey);
  await page.goto(`${url}/sign-in?next=/test/balances`);
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await page.waitForURL(({ pathname }) => pathname === "/test/balances");
  return page;
}

/** Follows links to a page, and returns once nothing on it loads any more. */
async function follow(page: Page, way: readonly string[]): Promise<void> {
  await page.setViewportSize(DESKTOP);
  for (const to of way) {
    await page.locator(`a[href="${to}"]`).first().click();
    await page.waitForURL(({ pathname }) => pathname === to);
    await page.getByRole("status", { name: "Loading" }).waitFor({ state: "detached" });
  }
  await page.waitForTimeout(1_000);
}

/** Waits until no color changes any more. A skeleton pulses for ever. */
async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ended = Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 400))]);
  });
}

async function shots(page: Page): Promise<Shots> {
  const taken = async (colorScheme: Scheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const pictures: Buffer[] = [];
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size);
      await still(page);
      pictures.push(await page.screenshot());
    }
    return pictures as [Buffer, Buffer];
  };
  const shown = { light: await taken("light"), dark: await taken("dark") };
  await page.setViewportSize(DESKTOP);
  return shown;
}

async function shownEmpty(page: Page, way: readonly string[]): Promise<Shots> {
  await follow(page, way);
  return shots(page);
}

async function shownFull(page: Page, way: readonly string[]): Promise<Record<"loading" | "full" | "failing", Shots>> {
  const to = way.at(-1) ?? "";
  const elsewhere = way.length > 1 ? (way[0] as string) : "/test/developers/keys";
  await follow(page, [elsewhere]);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(ASKED, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await page.locator(`a[href="${to}"]`).first().click();
  await page.getByRole("status", { name: "Loading" }).first().waitFor();
  const loading = await shots(page);
  release();
  await page.unroute(ASKED);
  await page.waitForURL(({ pathname }) => pathname === to);
  await follow(page, way);
  const full = await shots(page);
  await page.route(ASKED_OR_LOOKED, (route) => route.abort());
  await page.locator(`a[href="${elsewhere}"]`).first().click();
  await page.getByText(SILENT).first().waitFor();
  const failing = await shots(page);
  await page.unroute(ASKED_OR_LOOKED);
  await page.getByText(SILENT).first().waitFor({ state: "detached" });
  await page.waitForURL(({ pathname }) => pathname === elsewhere);
  return { loading, full, failing };
}

/** Writes a sheet: a row for each state. */
async function writeSheet(
  browser: Browser,
  file: string,
  rows: readonly (readonly [string, readonly [Buffer, Buffer]])[],
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 880, height: 100 } });
  const image = (picture: Buffer, { width }: typeof PHONE) =>
    `<img width="${width * SCALE}" src="data:image/png;base64,${picture.toString("base64")}">`;
  const shown = rows.map(
    ([state, [desktop, phone]]) => `<p>${state}</p><div>${image(desktop, DESKTOP)}${image(phone, PHONE)}</div>`,
  );
  await page.setContent(
    `<style>body{margin:12px;background:#8a8f98;font:13px sans-serif;color:#fff}p{margin:10px 0 4px}div{display:flex;gap:10px}</style>${shown.join("")}`,
  );
  const target = path.join(FOLDER, file);
  await page.screenshot({ path: target, fullPage: true, type: "jpeg", quality: 82 });
  await page.close();
  const { size } = statSync(target);
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MOST_BYTES}`);
}
