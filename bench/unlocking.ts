import { setTimeout } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { generatePrivateKey } from "viem/accounts";
import { chromiumLaunch } from "@/e2e/chromium";
import { injectWallet, WALLET_NAME } from "@/e2e/dashboard/wallet";
import { Halcyon } from "@/sdk/client";
import { type Line, openLine, type Speed } from "./line";
import { median, round } from "./measure";

/** Number of agents of the account. */
export const AGENTS = 50;
const QUIET_MS = 2_000;
/** TypeScript bundlers name functions with a helper that page scripts lack, so define it. */
export const HELPER = { content: "globalThis.__name = (named) => named;" };

/** The result: times in seconds, and counts. */
export interface Unlocking {
  /** From opening the balances page, with an empty cache, until it is loaded. */
  page_load_s: number;
  /**
   * From the click on Locked until the balances of the account and of all agents are shown. The person and the wallet
   * take no time; everything that is loaded for it counts.
   */
  unlock_s: number;
  /** From the click on Unlock in the dialog. */
  after_dialog_s: number;
  /**
   * Number of requests of the page and its workers from the click on Locked to the end, without the page's own scripts.
   */
  requests: number;
}

/**
 * Creates an account with 55 USDG available and {@link AGENTS} agents, one of which holds 5; returns its wallet's key.
 */
export async function accountWithAgents(url: string): Promise<`0x${string}`> {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url, walletKey });
  const handle = `unlock-${Date.now().toString(36)}`;
  await client.account.create({ handle });
  await client.testHelpers.faucet({ amount: "100" });
  await client.balances.makeAvailable({ amount: "60" });
  for (let agent = 0; agent < AGENTS; agent++) await client.agents.create({ name: `agent-${agent}` });
  await client.transfers.create({ to: `@${handle}/agent-0`, amount: "5", clientSigned: true });
  return walletKey;
}

/** Unlocks in a new browser each time, with an empty cache, over a line of the given speed. Returns medians. */
export async function unlocking(url: string, walletKey: `0x${string}`, speed: Speed, rounds: number) {
  const all: Unlocking[] = [];
  for (let turn = 0; turn < rounds; turn++) {
    const line = await openLine(speed);
    const browser = await chromium.launch(await chromiumLaunch());
    try {
      all.push(await once(browser, line, url, walletKey));
    } finally {
      await browser.close();
      line.close();
    }
  }
  const of = (name: keyof Unlocking) => round(median(all.map((each) => each[name])));
  return {
    page_load_s: of("page_load_s"),
    unlock_s: of("unlock_s"),
    after_dialog_s: of("after_dialog_s"),
    requests: of("requests"),
  };
}

/**
 * Waits until no request has been made over the line for a while. Doesn't wait for open requests: a stream of changes
 * stays open.
 */
async function untilQuiet(line: Line): Promise<void> {
  for (let before = -1; line.asked.length !== before; ) {
    before = line.asked.length;
    await setTimeout(QUIET_MS);
  }
}

export async function signedIn(context: BrowserContext, url: string, walletKey: `0x${string}`): Promise<Page> {
  await context.addInitScript(HELPER);
  const page = await context.newPage();
  await injectWallet(page, walletKey);
  await page.goto(`${url}/sign-in?next=/test/settings`);
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await page.waitForURL(({ pathname }) => pathname === "/test/settings");
  return page;
}

async function once(browser: Browser, line: Line, url: string, walletKey: `0x${string}`): Promise<Unlocking> {
  const first = await browser.newContext();
  await signedIn(first, url, walletKey);
  // Keep only the session cookie and the record of which wallet was used.
  const storageState = await first.storageState();
  await first.close();
  // By default, Chromium bypasses a proxy for this machine's own addresses.
  const proxy = { server: line.address, bypass: "<-loopback>" };
  const context = await browser.newContext({ storageState, proxy });
  await context.addInitScript(HELPER);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await injectWallet(page, walletKey);
  const begun = performance.now();
  await page.goto(`${url}/test/balances`, { waitUntil: "load" });
  const page_load_s = (performance.now() - begun) / 1_000;
  await untilQuiet(line);
  const before = line.asked.length;
  const pressed = performance.now();
  await page.getByRole("button", { name: /^Locked/ }).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  const unlock = dialog.getByRole("button", { name: "Unlock", exact: true, disabled: false });
  const wallet = dialog.getByRole("button", { name: WALLET_NAME });
  await unlock.or(wallet).first().waitFor();
  if (!(await unlock.isVisible())) await wallet.click();
  await unlock.click();
  const signs = performance.now();
  await page.getByText("55 USDG").first().waitFor();
  await page.getByText("Agents hold").first().waitFor();
  const opened = performance.now();
  const asked = line.asked.slice(before).filter((name) => !name.includes("/_next/"));
  await context.close();
  return {
    page_load_s,
    unlock_s: (opened - pressed) / 1_000,
    after_dialog_s: (opened - signs) / 1_000,
    requests: asked.length,
  };
}
