import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { chromiumLaunch } from "@/e2e/chromium";
import { expectAccessible, layoutShift, loaded } from "@/e2e/dashboard/checks";
import BUDGET from "@/e2e/dashboard/script-budget.json" with { type: "json" };
import { injectWallet, WALLET_NAME } from "@/e2e/dashboard/wallet";
import { median, round } from "./measure";
import { type FullAccount, fullAccount } from "./page-accounts";
import WEIGHTS from "./page-weights.json" with { type: "json" };
import type { Product } from "./start-product";
import { HELPER, signedIn } from "./unlocking";

const ROUNDS = 3;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The narrowest phones, and a window of 1280 px at 200 % (WCAG 1.4.4 and 1.4.10). */
const NARROW = [
  { width: 360, height: 780 },
  { width: 640, height: 450 },
];
/** A slow phone: milliseconds to the first byte, bytes a second, and how many times slower it computes. */
const SLOW = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SLOW_CPU = 4;
/** Pages that people open from a link that someone sent them, at first on a phone. */
const SENT = ["/pay/{request}", "/view/{view}", "/"];
/** Pages of text and links. */
const STATIC = ["/terms", "/system-status", "/nope"];

const MOST = { lcp_ms: 400, cls: 0.02, navigation_ms: 150 };

const PAGES = Object.values(BUDGET).flatMap((group) => Object.keys(group));
/** Kilobytes of JavaScript and of everything, as sent, at commit a6b6fb94. */
const BEFORE = WEIGHTS as unknown as Record<string, [scripts: number, all?: number] | undefined>;

interface Visit {
  lcp_ms: number;
  cls: number;
  scripts_kb: number;
  all_kb: number;
}

/**
 * Opens every page in a real browser, each with an empty cache, and measures when the largest thing is painted (LCP), by
 * how much the page moves while it loads (CLS) and what it weighs. Then follows the navigation, and looks at each page
 * of an account with long names and memos of other scripts: whether it fits, and what axe finds. What it weighs, moves
 * and contains does not depend on the machine's load.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const account = await fullAccount(product.url);
  const browser = await chromium.launch(await chromiumLaunch());
  const faults: Record<string, string> = {};
  try {
    const state = await storageOf(browser, product.url, account);
    const open = (page: string, viewport: typeof PHONE, slow = false) =>
      once(
        browser,
        { address: addressOf(product.url, page, account), state: isOwn(page) ? state : undefined },
        viewport,
        slow,
      );
    const loads: Record<string, unknown> = {};
    for (const page of PAGES) {
      const visits: Visit[] = [];
      for (let turn = 0; turn < ROUNDS; turn++) visits.push(await open(page, DESKTOP));
      const phone = await open(page, PHONE);
      const [scripts_kb, all_kb] = [visits[0]?.scripts_kb ?? 0, visits[0]?.all_kb ?? 0];
      const lcp_ms = round(median(visits.map((visit) => visit.lcp_ms)));
      const cls = round(Math.max(phone.cls, ...visits.map((visit) => visit.cls)));
      loads[page] = { lcp_ms, cls, scripts_kb, all_kb, before_kb: BEFORE[page] };
      if (lcp_ms > MOST.lcp_ms) faults[`${page}, LCP`] = `${lcp_ms} ms, over ${MOST.lcp_ms}`;
      if (cls > MOST.cls) faults[`${page}, CLS`] = `${cls}, over ${MOST.cls}`;
      const heavier = weightFault(page, scripts_kb, all_kb);
      if (heavier) faults[`${page}, weight`] = heavier;
    }
    const slow_phone: Record<string, Visit> = {};
    for (const page of SENT) {
      const visit = await open(page, PHONE, true);
      slow_phone[page] = visit;
      if (visit.cls > MOST.cls) faults[`${page} on a slow phone, CLS`] = `${visit.cls}, over ${MOST.cls}`;
    }
    const navigation_ms = await navigation(browser, product.url, state);
    for (const [path, ms] of Object.entries(navigation_ms))
      if (ms > MOST.navigation_ms) faults[`to ${path}`] = `${ms} ms, over ${MOST.navigation_ms}`;
    const looked = await looks(browser, product.url, account, state);
    Object.assign(faults, looked.faults);
    return { loads, slow_phone, navigation_ms, looked: looked.count, goals: MOST, faults };
  } finally {
    await browser.close();
  }
}

const isOwn = (page: string) => page === "/test" || page.startsWith("/test/");

function addressOf(url: string, page: string, { ids }: FullAccount): string {
  return url + page.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? name);
}

/** Returns why a page is too heavy; undefined if it is not. */
function weightFault(page: string, scripts: number, all: number): string | undefined {
  const before = BEFORE[page];
  if (!before) return undefined;
  const [scriptsThen, allThen] = before;
  if (scripts > scriptsThen) return `${scripts} kB of scripts, ${scriptsThen} before`;
  if (allThen === undefined) return undefined;
  if (all > allThen) return `${all} kB, ${allThen} before`;
  if (STATIC.includes(page) && all >= allThen) return `${all} kB: not lighter than before`;
  return undefined;
}

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Returns the session's cookie, and which wallet was used. */
async function storageOf(browser: Browser, url: string, { walletKey }: FullAccount): Promise<State> {
  const context = await browser.newContext();
  await signedIn(context, url, walletKey);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Opens a page in a browser that has nothing of it. */
async function once(
  browser: Browser,
  { address, state }: { address: string; state?: State },
  viewport: typeof PHONE,
  slow: boolean,
): Promise<Visit> {
  const context = await browser.newContext({ viewport, storageState: state });
  await context.addInitScript(HELPER);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  if (slow) {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, ...SLOW });
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_CPU });
  }
  await page.goto(address);
  await loaded(page);
  const cls = round(await layoutShift(page));
  const { lcp_ms, all, scripts } = await page.evaluate(async () => {
    const painted = await new Promise<number>((resolve) => {
      let last = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) last = entry.startTime;
      }).observe({ type: "largest-contentful-paint", buffered: true });
      setTimeout(() => resolve(last), 100);
    });
    const parts = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const sum = (of: PerformanceEntry[]) =>
      of.reduce((bytes, part) => bytes + (part as PerformanceResourceTiming).encodedBodySize, 0);
    const isScript = ({ name }: PerformanceEntry) => new URL(name).pathname.endsWith(".js");
    return { lcp_ms: painted, all: sum(parts), scripts: sum(parts.filter(isScript)) };
  });
  const scripts_kb = Math.round(scripts / 100) / 10;
  await context.close();
  return { lcp_ms: Math.round(lcp_ms), cls, scripts_kb, all_kb: Math.round(all / 1_000) };
}

/** Presses each entry of the navigation, and returns the time until its page is there without anything that loads. */
async function navigation(browser: Browser, url: string, state: State): Promise<Record<string, number>> {
  const context = await browser.newContext({ viewport: DESKTOP, storageState: state });
  await context.addInitScript(HELPER);
  const page = await context.newPage();
  await page.goto(`${url}/test`);
  await loaded(page);
  const bar = page.getByRole("navigation", { name: "Dashboard" });
  const paths = await bar
    .getByRole("link")
    .evaluateAll((links) =>
      links.map((link) => link.getAttribute("href") ?? "").filter((href) => href.startsWith("/test")),
    );
  const times: Record<string, number[]> = {};
  for (let turn = 0; turn <= ROUNDS; turn++) {
    for (const path of paths) {
      const ms = await page.evaluate(pressed, path);
      await loaded(page);
      // The first round loads what the others keep: the scripts of each page.
      if (turn > 0 && ms !== null) times[path] = [...(times[path] ?? []), ms];
    }
  }
  await context.close();
  return Object.fromEntries(Object.entries(times).map(([path, all]) => [path, round(median(all))]));
}

/** Runs in the page. */
function pressed(path: string): Promise<number | null> {
  if (location.pathname === path) return Promise.resolve(null);
  const link = [...document.querySelectorAll("nav a")].find(
    (one) => one.getAttribute("href") === path && one.getClientRects().length > 0,
  ) as HTMLElement;
  const begun = performance.now();
  return new Promise((resolve) => {
    const look = () => {
      const isThere =
        location.pathname === path &&
        document.querySelector("main h1") !== null &&
        document.querySelector('main [role="status"][aria-label="Loading"]') === null;
      if (isThere) resolve(performance.now() - begun);
      else requestAnimationFrame(look);
    };
    link.click();
    look();
  });
}

/** Looks at every page with its amounts shown: what is wider than its window, and what axe finds in both themes. */
async function looks(browser: Browser, url: string, account: FullAccount, state: State) {
  const faults: Record<string, string> = {};
  const context = await browser.newContext({ viewport: DESKTOP, storageState: state });
  await context.addInitScript(HELPER);
  // Shared by all pages of the context: one of them stays open, so the others are unlocked.
  const first = await context.newPage();
  await injectWallet(first, account.walletKey);
  await first.goto(`${url}/test/balances`);
  await unlock(first);
  const page = await context.newPage();
  await injectWallet(page, account.walletKey);
  page.setDefaultTimeout(60_000);
  for (const path of PAGES) {
    await page.setViewportSize(DESKTOP);
    await page.goto(addressOf(url, path, account));
    await loaded(page);
    for (const [name, size] of [
      ["desktop", DESKTOP],
      ["phone", PHONE],
    ] as const) {
      await page.setViewportSize(size);
      await expectAccessible(page).catch((error: Error) => {
        faults[`${path} on a ${name}, axe`] = error.message.slice(0, 500);
      });
    }
    for (const size of NARROW) {
      await page.setViewportSize(size);
      const over = await page.evaluate(wider);
      if (over) faults[`${path} at ${size.width} px`] = over;
    }
  }
  await context.close();
  return { count: PAGES.length, faults };
}

/** Runs in the page: by how much it is wider than its window, and what reaches furthest. */
function wider(): string | null {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return null;
  const right = (one: Element) => one.getBoundingClientRect().right;
  const [furthest] = [...document.querySelectorAll("body *")].sort((a, b) => right(b) - right(a));
  return `${scrollWidth - clientWidth} px too wide: ${furthest?.outerHTML.slice(0, 200)}`;
}

async function unlock(page: Page): Promise<void> {
  await loaded(page);
  await page.getByRole("button", { name: /^Locked/ }).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  const button = dialog.getByRole("button", { name: "Unlock", exact: true, disabled: false });
  const wallet = dialog.getByRole("button", { name: WALLET_NAME });
  await button.or(wallet).first().waitFor();
  if (!(await button.isVisible())) await wallet.click();
  await button.click();
  await page.getByRole("button", { name: /^Unlocked/ }).waitFor();
}
