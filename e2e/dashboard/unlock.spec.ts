import type { Page } from "@playwright/test";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, sign, signedIn, test, unlock } from "./fixtures";
import { uniqueHandle } from "./owner";
import { injectWallet, WALLET_NAME } from "./wallet";

/** The saver's budget. */
const BUDGET = "73.19";

// One saver for all of them.
test.describe.configure({ mode: "default" });

const locked = (page: Page) => page.getByRole("button", { name: /^Locked/ });
const unlocked = (page: Page) => page.getByRole("button", { name: /^Unlocked/ });
const opened = (page: Page) => page.getByText(`${BUDGET} USDG`).first();
const signatures = (requests: { method: string }[]) =>
  requests.filter(({ method }) => method === "eth_signTypedData_v4" || method === "personal_sign").length;

/** Nothing that was decrypted is left: in text, attributes or fields. */
async function expectNothingOpened(page: Page): Promise<void> {
  await expect(locked(page)).toBeVisible();
  await expect(opened(page)).toHaveCount(0);
  const fields = await page
    .locator("input, textarea")
    .evaluateAll((all) => all.map((each) => "value" in each && each.value));
  expect(`${await page.content()} ${fields.join(" ")}`).not.toContain(BUDGET);
}

test("a wallet of the browser signs in with one signature, unlocks with one more, and locking locks every tab", async ({
  page,
  context,
  saver,
}) => {
  const wallet = await injectWallet(page, saver.walletKey);
  const asked = "/test/transfers?status=confirmed";
  await page.goto(asked);
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(asked)}`);
  await expect(page.getByRole("button", { name: WALLET_NAME })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "sign-in");
  wallet.declining = true;
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You declined in your wallet" })).toBeVisible();
  wallet.declining = false;
  wallet.requests.length = 0;
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await page.waitForURL(`**${asked}`);
  expect(signatures(wallet.requests)).toBe(1);
  await page.goto("/test/balances");
  await expectNothingOpened(page);

  await locked(page).click();
  await expect(page.getByRole("dialog", { name: "Unlock amounts" })).toContainText("One signature");
  await expectAccessible(page);
  await shotOfState(page, "unlock");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await unlock(page);
  expect(signatures(wallet.requests)).toBe(2);
  await expect(opened(page)).toBeVisible();

  const second = await context.newPage();
  await injectWallet(second, saver.walletKey);
  await second.goto("/test/balances");
  await expectNothingOpened(second);
  await unlock(second);
  await expect(opened(second)).toBeVisible();
  await unlocked(page).click();
  await expectNothingOpened(page);
  await expectNothingOpened(second);
});

test("an unlocked account locks itself after 15 minutes without input, also when the machine slept", async ({
  page,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright);
  await page.clock.install();
  await page.goto("/test/balances");
  await unlock(page);
  await expect(opened(page)).toBeVisible();
  await page.clock.runFor("14:00");
  await page.keyboard.press("Shift");
  await page.clock.runFor("14:30");
  await expect(unlocked(page)).toBeVisible();
  // Time continues, timers do not: the first input after waking must not count.
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.keyboard.press("Shift");
  await expectNothingOpened(page);
});

test("another wallet than the one signed in, a refusal, and a switched account open nothing and say so", async ({
  page,
  saver,
  playwright,
}) => {
  const wallet = await signedIn(page, saver.walletKey, playwright);
  const stranger = generatePrivateKey();
  wallet.use(stranger);
  await page.goto("/test/balances");
  await locked(page).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  const choose = dialog.getByRole("button", { name: WALLET_NAME });
  const button = dialog.getByRole("button", { name: "Unlock", exact: true });
  await expect(choose.or(dialog.getByRole("alert"))).toBeVisible();
  if (await choose.isVisible()) await choose.click();
  await expect(dialog.getByRole("alert")).toContainText(privateKeyToAddress(stranger));
  await expect(dialog.getByRole("alert")).toContainText(saver.address.toLowerCase());
  await expect(button).toBeDisabled();
  expect(signatures(wallet.requests)).toBe(0);

  wallet.use(saver.walletKey);
  wallet.declining = true;
  await button.click();
  await expect(dialog.getByRole("alert")).toContainText("You declined in your wallet");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expectNothingOpened(page);

  wallet.declining = false;
  await unlock(page);
  await expect(opened(page)).toBeVisible();
});

test("a wallet that signs differently each time neither unlocks nor enrols", async ({
  page,
  browser,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright, { differently: true });
  await page.goto("/test/balances");
  await locked(page).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  const choose = dialog.getByRole("button", { name: WALLET_NAME });
  const button = dialog.getByRole("button", { name: "Unlock", exact: true });
  await expect(choose.or(button.and(page.locator(":enabled"))).first()).toBeVisible();
  if (await choose.isVisible()) await choose.click();
  await button.click();
  await expect(dialog.getByRole("alert")).toContainText("differently each time");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expectNothingOpened(page);

  const newcomer = await browser.newPage();
  await signedIn(newcomer, generatePrivateKey(), playwright, { differently: true });
  await newcomer.goto("/test/welcome");
  await newcomer.getByLabel("Handle").fill(uniqueHandle("moody"));
  await newcomer.getByRole("button", { name: "Create account" }).click();
  await newcomer.getByRole("button", { name: "Enrol without one" }).click();
  await newcomer.getByRole("dialog").getByRole("button", { name: WALLET_NAME }).click();
  await sign(newcomer, "Create your account's key");
  await sign(newcomer, "The same signature, once more");
  await expect(newcomer.getByText("This wallet signs the same message differently each time")).toBeVisible();
  const account = await newcomer.request.get("/api/accounts/me?network=test");
  expect(await account.json()).toMatchObject({ enrolled: "none", sealed_root: null });
  await newcomer.close();
});

test("signing out ends the session on the server, locks and leaves in every tab", async ({ page, context, saver }) => {
  await injectWallet(page, saver.walletKey);
  await page.goto("/sign-in?next=/test/balances");
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await page.waitForURL(({ pathname }) => pathname === "/test/balances");
  await unlock(page);
  await expect(opened(page)).toBeVisible();
  const second = await context.newPage();
  await second.goto("/test/transfers");
  const cookies = await context.cookies();

  await page.getByRole("button", { name: saver.handle }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await second.waitForURL(/\/sign-in/);
  expect(await page.content()).not.toContain(BUDGET);
  // The token itself is worth nothing any more, even to someone who kept it.
  await context.addCookies(cookies);
  expect((await page.request.get("/api/accounts/me?network=test")).status()).toBe(401);
});
