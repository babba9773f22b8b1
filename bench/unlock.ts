import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { generatePrivateKey } from "viem/accounts";
import { chromiumLaunch } from "@/e2e/chromium";
import { injectWallet, WALLET_NAME } from "@/e2e/dashboard/wallet";
import { Halcyon } from "@/sdk/client";
import { median, round } from "./measure";
import type { Product } from "./product";
import { type Line, slowLine } from "./slow-line";

const AGENTS = 50;
const AT_ONCE = 5;
const ROUNDS = 3;
const SLOW: Line = { latencyMs: 400, bytesPerSecond: 50_000 };
/** Bundlers of TypeScript name functions by a helper, which the page's scripts lack. */
const HELPER = { content: "globalThis.__name = (named) => named;" };

interface Unlocking {
  /** The page alone, with an empty cache, until it rests. */
  page_load_s: number;
  /** From the press of Unlock until balances and those of all agents stand there. The wallet signs at once. */
  unlock_s: number;
  /** Requests that this took, of the page and its workers. */
  requests: number;
}

/**
 * What unlocking the dashboard takes with 50 agents, in a real browser with an empty cache: at full speed, and over a slow
 * line. Seconds.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url: product.url, walletKey });
  await client.account.create({ handle: `unlock-${Date.now().toString(36)}` });
  await client.testHelpers.faucet({ amount: "100" });
  await client.balances.makeAvailable({ amount: "60" });
  for (let first = 0; first < AGENTS; first += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, at) => `agent-${first + at}`);
    await Promise.all(names.map((name) => client.agents.create({ name })));
  }
  const fast = await rounds(product.url, walletKey);
  const line = await slowLine(SLOW);
  const slow = await rounds(product.url, walletKey, line.address, 1);
  line.close();
  const more = round(fast.unlock_s - fast.page_load_s);
  const goals = { requests: "<= 12", more_than_a_page_load_s: "<= 1.5", slow_unlock_s: "<= 8" };
  return { agents: AGENTS, ...fast, more_than_a_page_load_s: more, slow: { ...SLOW, ...slow }, goals };
}

async function rounds(url: string, walletKey: `0x${string}`, proxy?: string, count = ROUNDS): Promise<Unlocking> {
  const all: Unlocking[] = [];
  for (let turn = 0; turn < count; turn++) {
    const launch = await chromiumLaunch();
    const args = proxy ? [...launch.args, `--proxy-server=${proxy}`, "--proxy-bypass-list=<-loopback>"] : launch.args;
    const browser = await chromium.launch({ ...launch, args });
    all.push(await once(browser, url, walletKey));
    await browser.close();
  }
  const of = (name: keyof Unlocking) => round(median(all.map((each) => each[name])));
  return {
    page_load_s: of("page_load_s"),
    unlock_s: of("unlock_s"),
    requests: of("requests"),
  };
}

async function signedIn(context: BrowserContext, url: string, walletKey: `0x${string}`): Promise<Page> {
  await context.addInitScript(HELPER);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await injectWallet(page, walletKey);
  await page.goto(`${url}/sign-in?next=/test/settings`);
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await page.waitForURL("**/test/settings");
  return page;
}

async function once(browser: Browser, url: string, walletKey: `0x${string}`): Promise<Unlocking> {
  const first = await browser.newContext();
  const page = await signedIn(first, url, walletKey);
  const cookies = await first.cookies();
  await page.close();
  await first.close();
  // What is measured begins with nothing in the cache.
  const context = await browser.newContext();
  await context.addCookies(cookies);
  await context.addInitScript(HELPER);
  const measured = await context.newPage();
  measured.setDefaultTimeout(120_000);
  await injectWallet(measured, walletKey);
  const begun = performance.now();
  await measured.goto(`${url}/test/balances`, { waitUntil: "load" });
  const page_load_s = (performance.now() - begun) / 1_000;
  await measured.getByRole("button", { name: /^Locked/ }).click();
  const dialog = measured.getByRole("dialog", { name: "Unlock amounts" });
  const unlock = dialog.getByRole("button", { name: "Unlock", exact: true, disabled: false });
  const wallet = dialog.getByRole("button", { name: WALLET_NAME });
  await unlock.or(wallet).first().waitFor();
  if (!(await unlock.isVisible())) await wallet.click();
  await unlock.waitFor();
  let requests = 0;
  context.on("request", () => {
    requests += 1;
  });
  const pressed = performance.now();
  await unlock.click();
  await measured.getByText("60 USDG").first().waitFor();
  await measured.getByText("Agents", { exact: true }).first().waitFor();
  const unlock_s = (performance.now() - pressed) / 1_000;
  await context.close();
  return { page_load_s, unlock_s, requests };
}
