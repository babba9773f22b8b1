import type { Page, Request, Route } from "@playwright/test";
import postgres from "postgres";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { shotOfState } from "./checks";
import { choose, expect, signedIn, test, unlock } from "./fixtures";
import { newOwner, productURL } from "./owner";
import { confirm, SECURITY } from "./settings-fixtures";
import { AVAILABLE, keptIn, opened, signatures, unlocked, unlockedBalances } from "./unlock-fixtures";
import { injectWallet, WALLET_NAME } from "./wallet";

test.use({ vault: "shared" });
// One saver for all tests.
test.describe.configure({ mode: "default" });

test("signing out ends the session on the server, locks and leaves in every tab", async ({ page, context, saver }) => {
  await injectWallet(page, saver.walletKey);
  await page.goto("/sign-in?next=/test/balances");
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await page.waitForURL(({ pathname }) => pathname === "/test/balances");
  await unlock(page);
  await expect(opened(page)).toBeVisible();
  const second = await context.newPage();
  await second.goto("/test/balances");
  await expect(opened(second)).toBeVisible();
  await expect.poll(() => keptIn(second)).toContain("extractable: false");
  const cookies = await context.cookies();

  await choose(page.getByRole("button", { name: saver.handle }), "Sign out");
  await page.waitForURL(/\/sign-in/);
  await second.waitForURL(/\/sign-in/);
  for (const tab of [page, second]) expect(await tab.content()).not.toContain(AVAILABLE);
  await expect.poll(() => keptIn(page)).not.toContain("extractable");
  // The token itself is worthless now, even to someone who kept it.
  await context.addCookies(cookies);
  expect((await page.request.get("/v1/accounts/me?network=test")).status()).toBe(401);
});

test("a session revoked from another browser locks every tab, leaves no key, and is signed in again over a form that stays; a switch in the wallet alone locks none", async ({
  browser,
  page,
  context,
  saver,
  playwright,
}) => {
  const wallet = await unlockedBalances(page, saver, playwright);
  const second = await context.newPage();
  await second.goto("/test/balances");
  await expect(opened(second)).toBeVisible();
  await expect.poll(() => keptIn(second)).toContain("extractable: false");
  const heard = page.evaluate(
    () => new Promise((done) => addEventListener("vigil:accountsChanged", () => setTimeout(done), { once: true })),
  );
  wallet.use(generatePrivateKey());
  await heard;
  await expect(unlocked(page)).toBeVisible();
  wallet.use(saver.walletKey);
  await page.getByRole("link", { name: "Send", exact: true }).click();
  const send = page.getByRole("dialog", { name: "Send" });
  await send.getByLabel("To", { exact: true }).fill("@demo");
  await send.getByLabel("Memo").fill("Kept over the signature");

  const elsewhere = await browser.newContext({ baseURL: productURL });
  const settings = await elsewhere.newPage();
  await signedIn(settings, saver.walletKey, playwright);
  await settings.goto(SECURITY);
  await settings.getByRole("button", { name: "Revoke all others" }).click();
  await confirm(settings, /^Revoke \d+ sessions\?$/, "Revoke sessions");
  const table = settings.getByRole("table", { name: "Sessions" });
  await expect(table.getByRole("row")).toHaveCount(2);
  await expect(table).toContainText("This browser");
  for (const tab of [page, second]) {
    await expect(opened(tab)).toHaveCount(0);
    expect(await tab.content()).not.toContain(AVAILABLE);
  }
  await expect.poll(() => keptIn(page)).not.toContain("extractable");
  expect((await page.request.get("/v1/accounts/me?network=test")).status()).toBe(401);
  // A browser with the cookie of the ended session.
  const late = await browser.newContext({ baseURL: productURL });
  await late.addCookies(await context.cookies());
  const left = await late.newPage();
  await left.goto("/test/balances");
  await expect(left.getByText("Your session has ended.")).toBeVisible();
  await late.close();

  const again = page.getByRole("dialog", { name: "Sign in again" });
  // What is known of the money comes first: the dialog keeps the page until the person asks to sign in.
  await send.getByRole("contentinfo").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(again).toBeVisible();
  await shotOfState(page, "sign-in-again");
  await again.getByRole("button", { name: WALLET_NAME }).click();
  await expect(again).toBeHidden();
  await expect(send.getByLabel("Memo")).toHaveValue("Kept over the signature");
  expect(wallet.requests.some(({ method }) => method === "personal_sign")).toBe(true);
  expect((await page.request.get("/v1/accounts/me?network=test")).status()).toBe(200);

  await table.getByRole("button", { name: "Sign out" }).click();
  await expect(settings).toHaveURL(/\/sign-in/);
  await elsewhere.close();
});

test("another wallet that signs in after the session ran out takes the keys from every tab", async ({
  page,
  context,
  saver,
  playwright,
}) => {
  await unlockedBalances(page, saver, playwright);
  const second = await context.newPage();
  await second.goto("/test/balances");
  await expect(opened(second)).toBeVisible();
  // A session that ran out loses nothing by itself.
  await expireSessions(saver.walletKey);
  const third = await context.newPage();
  await injectWallet(third, generatePrivateKey());
  await third.goto("/sign-in?next=/test/welcome");
  await third.getByRole("button", { name: WALLET_NAME }).click();
  await third.waitForURL("**/test/welcome");
  for (const tab of [page, second]) {
    await tab.waitForURL("**/test/welcome");
    expect(await tab.content()).not.toContain(AVAILABLE);
  }
  await expect.poll(() => keptIn(third)).not.toContain("extractable");
});

/** Makes all sessions of a wallet time out, as they do twelve hours after a sign-in. */
async function expireSessions(walletKey: Hex): Promise<void> {
  const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1 });
  const address = Buffer.from(privateKeyToAddress(walletKey).slice(2), "hex");
  await sql`update sessions set expires_at = now() where address = ${address}`;
  await sql.end();
}

const isRender = (request: Request) => request.headers().rsc === "1";
const isCall = (request: Request) => request.resourceType() === "fetch";

/**
 * Follows the requests of a page, to hold back those that a test does not mean: what is asked for just before the
 * session runs out, and responded to just after, would say so first, and a render would be the sign-in.
 */
function requestsOf(page: Page) {
  const underWay = new Set<Request>();
  const held: Route[] = [];
  let isHeld = (_: Request) => false;
  const ended = (request: Request) => underWay.delete(request);
  page.on("request", (request) => underWay.add(request));
  page.on("requestfinished", ended).on("requestfailed", ended);
  const onRoute = (route: Route) => {
    if (!isHeld(route.request())) return route.continue();
    ended(route.request());
    held.push(route);
  };
  return {
    /** Holds back some requests. Returns once none of their kind is under way. */
    async hold(which: (request: Request) => boolean) {
      isHeld = which;
      await page.route("**", onRoute);
      await expect.poll(() => [...underWay].filter(which).length).toBe(0);
    },
    /** Lets go of all but some. */
    async release(but = (_: Request) => false) {
      isHeld = but;
      for (const route of held.splice(0)) {
        if (but(route.request())) held.push(route);
        else await route.continue();
      }
    },
  };
}

test("a session that ran out asks for a signature over the page, now or before it is left: the form and the keys stay, and it is paid", async ({
  page,
  configDir,
  playwright,
}) => {
  const payer = await newOwner("late", configDir, { available: "5" });
  const requests = requestsOf(page);
  const wallet = await signedIn(page, payer.walletKey, playwright);
  await page.goto("/test/balances?do=send");
  const send = page.getByRole("dialog", { name: "Send" });
  await send.getByRole("button", { name: "Close" }).click();
  await unlock(page);
  await page.getByRole("link", { name: "Send", exact: true }).click();
  await send.getByLabel("To", { exact: true }).fill("@demo");
  await send.getByLabel("Amount", { exact: true }).fill("0.5");
  await send.getByRole("button", { name: "Review", exact: true }).click();
  const pay = page.getByRole("dialog").getByRole("button", { name: "Pay 0.50 USDG" });
  await expect(pay).toBeEnabled();
  const asked = signatures(wallet.requests);
  await requests.hold(isCall);
  await expireSessions(payer.walletKey);
  await pay.click();
  await requests.release(isRender);
  await page.getByRole("contentinfo").getByRole("button", { name: "Sign in", exact: true }).click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByRole("button", { name: WALLET_NAME }).click();
  await expect(again).toBeHidden();
  await requests.release();
  await expect(page.getByRole("dialog").getByText("You are signed in again.")).toBeVisible();
  await pay.click();
  await expect(page.getByRole("dialog").getByText("confirmed").first()).toBeVisible();
  // Only a sign-in was needed: what was unlocked stayed unlocked.
  expect(signatures(wallet.requests)).toBe(asked + 1);

  // Signing in later keeps the keys: a link to another page asks for the signature before this one is left.
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page).toHaveURL(/\/test\/balances$/);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  await requests.hold(isRender);
  // Only now: a late request of the page would open the dialog below, and the search not above it.
  await expireSessions(payer.walletKey);
  // The search makes the page call the service, which no longer accepts the session.
  await page.keyboard.type("tr_01");
  await again.getByRole("button", { name: "Not now" }).click();
  await expect(again).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeHidden();
  const transfers = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Payments" });
  await transfers.click();
  await again.getByRole("button", { name: "Not now" }).click();
  await expect(page).toHaveURL(/\/test\/balances$/);
  await expect(unlocked(page)).toBeVisible();
  await transfers.click();
  await again.getByRole("button", { name: WALLET_NAME }).click();
  await expect(again).toBeHidden();
  await requests.release();
  await expect(page).toHaveURL(/\/test\/transfers$/);
  await expect(page.getByRole("heading", { level: 1, name: "Transfers" })).toBeVisible();
  await expect(unlocked(page)).toBeVisible();
});
