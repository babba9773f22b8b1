import { type BrowserContext, expect, type Page, type Route } from "@playwright/test";
import type { Hex } from "viem";
import { expectAnnounced } from "../announcements";
import { unlock } from "./fixtures";
import { injectWallet } from "./wallet";

/** What can fail after the button of an act was pressed. */
export const FAILURES = [
  "response lost once",
  "response lost three times",
  "503 after commit",
  "offline",
  "session expired",
  "tab closed",
] as const;
export type Failure = (typeof FAILURES)[number];

/** One act of the matrix, in the page of someone who is signed in and unlocked. */
export interface Act {
  name: string;
  /** The path of its page, for someone who comes back. */
  path: string;
  /** The path of the request that moves money, without the `**` around it. */
  request: string;
  /** Fills in the form up to the button that runs the act. `amount` differs each time. */
  prepare: (page: Page, amount: string) => Promise<void>;
  /** Presses that button. */
  press: (page: Page, amount: string) => Promise<void>;
  /** Signs if the wallet is asked, unless the page says first that there is nothing to sign. Runs for each try. */
  sign?: (page: Page, again?: boolean) => Promise<void>;
  /** What the dialog says when it was done, or a message that goes by itself. */
  done: RegExp | { announced: string };
  /** What the page may say only if no money has moved. */
  nothing: string;
  /** The notice for someone who comes back. */
  made: RegExp;
  close: (page: Page) => Promise<void>;
  /** Returns a figure on chain, in units of 1e-6, that each act increases by its amount. */
  figure: () => Promise<bigint>;
}

/** Returns every moment at which the page said that no money has moved, however briefly. */
async function saidNothing(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { saidNothing?: string[] }).saidNothing ?? []);
}

/** Makes the pages of a context record when they say so. */
export async function listen(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { saidNothing: said });
    const words = /Nothing was [a-z ]+\.|It was not approved\.?|was not made/;
    const look = () => {
      for (const dialog of document.querySelectorAll('[role="dialog"], [role="status"], [role="alert"]')) {
        const found = words.exec(dialog.textContent ?? "")?.[0];
        if (found && said.at(-1) !== found) said.push(found);
      }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Forgets what was recorded. */
const deaf = (page: Page) =>
  page.evaluate(() => (window as unknown as { saidNothing: string[] }).saidNothing.splice(0));

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
type Answer = (route: Route, attempt: number) => Promise<void>;

/** Intercepts the requests of an act and counts them. Returns the count and a function that stops intercepting. */
async function answering(page: Page, { request }: Act, reply: Answer) {
  const glob = `**${request}**`;
  let attempts = 0;
  const handler = async (route: Route) => {
    if (route.request().method() !== "POST") return route.fallback();
    attempts += 1;
    // The page may have been closed in the meantime, which is no failure of the test.
    await reply(route, attempts).catch(() => {});
  };
  await page.context().route(glob, handler);
  return { attempts: () => attempts, end: () => page.context().unroute(glob, handler) };
}

const lost = (route: Route) => route.abort("connectionreset");
const API_PATHS = /\/(api|v1)\//;

/** Holds back the page's requests until released, so that a button pressed meanwhile gets its responses first. */
async function holding(page: Page): Promise<() => Promise<void>> {
  const context = page.context();
  let letGo = () => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const handler = async (route: Route) => {
    await free;
    await route.fallback().catch(() => {});
  };
  await context.route(API_PATHS, handler);
  return async () => {
    letGo();
    await context.unroute(API_PATHS, handler);
  };
}

interface Ended {
  cookies: Cookies;
  /** Uses the current cookies for renders again. */
  restore: () => Promise<void>;
}

const isRender = (url: URL) => url.searchParams.has("_rsc");

/**
 * Ends the session as the page sees it. Renders still get their response, as if requested a moment earlier. Returns
 * what undoes it.
 */
async function endSession(page: Page): Promise<Ended> {
  const context = page.context();
  const cookies = await context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const running = new Set<Promise<void>>();
  const respond = async (route: Route) => {
    const headers = { ...(await route.request().allHeaders()), cookie };
    const response = await route.fetch({ headers });
    await route.fulfill({ response });
  };
  const handler = async (route: Route) => {
    // The page may have been closed or left in the meantime, which is no failure of the test.
    const done = respond(route).catch(() => {});
    running.add(done);
    await done;
    running.delete(done);
  };
  await context.route(isRender, handler);
  await context.clearCookies();
  const restore = async () => {
    // A render in progress would continue without a session and turn the page into the sign-in.
    await Promise.all(running);
    await context.unroute(isRender, handler);
  };
  return { cookies, restore };
}

/**
 * Expects that the page says that the session has ended and nothing has moved. Then restores the cookies and continues.
 */
async function expectSignedOut(page: Page, act: Act, { cookies, restore }: Ended): Promise<void> {
  await expect(page.getByRole("dialog").getByText("You have been signed out.")).toBeVisible();
  await expect(page.getByRole("dialog").getByText(act.nothing)).toBeVisible();
  // Nothing on screen runs the act, asks to unlock, or leads elsewhere.
  await expect(page.getByRole("dialog").getByRole("contentinfo").getByRole("button")).toHaveText(["Close", "Sign in"]);
  await restore();
  await page.context().addCookies(cookies);
  await page.goto(act.path);
  await unlock(page);
}

/**
 * Ends the session while the dialog is open. The page notices by itself, without a press. Afterwards it is unlocked and
 * has no dialog.
 *
 * @param happens something that the open page learns from the service
 */
export async function runUnpressed(
  page: Page,
  act: Act,
  amount: string,
  happens: () => Promise<unknown>,
): Promise<void> {
  const before = await act.figure();
  await act.prepare(page, amount);
  const ended = await endSession(page);
  await happens();
  await expectSignedOut(page, act, ended);
  expect(await act.figure()).toBe(before);
}

/** Expects that the act was done, that the page says so, and that it never said anything else. */
async function expectDone(page: Page, act: Act): Promise<void> {
  if (act.done instanceof RegExp) await expect(page.getByText(act.done).first()).toBeVisible();
  else await expectAnnounced(page, act.done.announced);
  expect(await saidNothing(page), `${act.name}: said of money that has moved`).toEqual([]);
}

/**
 * Runs one cell of the matrix. Returns the page to continue with, unlocked and without a dialog.
 *
 * @param key of the wallet, for a page opened after another was closed
 */
export async function runCell(page: Page, key: Hex, act: Act, failure: Failure, amount: string): Promise<Page> {
  const before = await act.figure();
  const units = BigInt(Math.round(Number(amount) * 1e6));
  const moved = async () => (await act.figure()) - before;
  await act.prepare(page, amount);
  await deaf(page);
  const press = async () => {
    await act.press(page, amount);
    await act.sign?.(page);
  };
  switch (failure) {
    case "response lost once": {
      const { end, attempts } = await answering(page, act, async (route, attempt) => {
        if (attempt > 1) return route.continue();
        await route.fetch();
        await lost(route);
      });
      await press();
      await expectDone(page, act);
      expect(attempts()).toBeGreaterThan(0);
      await end();
      break;
    }
    case "response lost three times": {
      // The requests never arrive, so neither service nor chain knows of them until the same document is sent again.
      const { end } = await answering(page, act, lost);
      await press();
      await expect(page.getByText(/We don't know yet whether/)).toBeVisible();
      await expect(page.getByText("Halcyon keeps checking")).toBeVisible();
      expect(await moved()).toBe(0n);
      await end();
      await page.getByRole("dialog").getByRole("button", { name: "Check again" }).click();
      await act.sign?.(page, true);
      await expectDone(page, act);
      break;
    }
    case "503 after commit": {
      const { end } = await answering(page, act, async (route) => {
        await route.fetch();
        await route.fulfill({ status: 503, contentType: "text/html", body: "<h1>503 Service Unavailable</h1>" });
      });
      await press();
      await expectDone(page, act);
      await end();
      break;
    }
    case "offline": {
      await page.context().setOffline(true);
      await press();
      await expect(page.getByRole("dialog").getByText("You are offline. Nothing was prepared.")).toBeVisible();
      await expect(page.getByText("Nothing you start now is sent later.")).toBeVisible();
      await page.context().setOffline(false);
      await expect(page.getByText("Nothing you start now is sent later.")).toBeHidden();
      expect(await saidNothing(page)).toContain(act.nothing);
      expect(await moved()).toBe(0n);
      await act.close(page);
      return page;
    }
    case "session expired": {
      const letGo = await holding(page);
      const ended = await endSession(page);
      await act.press(page, amount);
      await letGo();
      await act.sign?.(page);
      await expectSignedOut(page, act, ended);
      expect(await moved()).toBe(0n);
      return page;
    }
    case "tab closed": {
      let arrived = () => {};
      const posted = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const { end } = await answering(page, act, async (route) => {
        await route.fetch();
        arrived();
      });
      await press();
      await posted;
      const context = page.context();
      await page.close();
      await end();
      const next = await context.newPage();
      await injectWallet(next, key);
      await next.goto(act.path);
      await expect(next.getByText(act.made)).toBeVisible();
      expect(await saidNothing(next)).toEqual([]);
      await next.getByRole("button", { name: "Dismiss" }).click();
      await expect(next.getByText(act.made)).toBeHidden();
      await expect.poll(moved).toBe(units);
      await unlock(next);
      return next;
    }
  }
  // What was received is indexed a moment after it is confirmed.
  await expect.poll(moved, `${act.name}, ${failure}`).toBe(units);
  await act.close(page);
  return page;
}
