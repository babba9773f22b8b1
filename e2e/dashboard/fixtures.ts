import { expect, type Locator, type Page, type PlaywrightWorkerArgs, type TestInfo } from "@playwright/test";
import type { Hex } from "viem";
import { recordAnnouncements } from "../announcements";
import { test as base } from "../api/fixtures";
import { WalletSession } from "../api/wallet-session";
import { lend } from "../lent-accounts";
import { type Asking, askingAgain, newAsking } from "./approvals-fixtures";
import { newOwner, type Owner, ownerAgain, productURL } from "./owner";
import { type Books, booksAgain, newBooks } from "./transfers-fixtures";
import { type InjectedWallet, injectWallet, WALLET_NAME } from "./wallet";

/** As for a single action (playwright.config.ts). Without it, `toPass` waits for the whole test's time. */
const PATIENCE = { timeout: 60_000 };

/** Creates a session cookie through the API, so that the page is signed in without the sign-in page. */
export async function signedIn(
  page: Page,
  key: Hex,
  playwright: PlaywrightWorkerArgs["playwright"],
  options: { chainId?: number } = {},
): Promise<InjectedWallet> {
  const session = await WalletSession.open(playwright, productURL, { key });
  const { cookies } = await session.http.storageState();
  await page.context().addCookies(cookies);
  await session.http.dispose();
  return injectWallet(page, key, options);
}

/** Unlocks as a person would: opens the dialog, chooses the injected wallet if asked, signs. */
export async function unlock(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  // Presses before the page's scripts have loaded are lost.
  await expect(async () => {
    if (!(await dialog.isVisible()))
      await page.getByRole("button", { name: /^(Locked|Amounts shown)/ }).click({ timeout: 2_000 });
    await expect(dialog).toBeVisible({ timeout: 3_000 });
  }).toPass(PATIENCE);
  await unlockInDialog(page);
  await expect(page.getByRole("button", { name: /^Unlocked/ })).toBeVisible();
}

/** Unlocks in the open dialog, with the tests' wallet. */
export async function unlockInDialog(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  const button = dialog.getByRole("button", { name: "Unlock", exact: true });
  await chooseWallet(dialog, button.and(page.locator(":enabled")));
  await button.click();
  await expect(dialog).toBeHidden();
}

/**
 * Chooses the tests' wallet until what follows is there. The last used wallet reconnects by itself: until then the
 * dialog may briefly show the choice, which goes away under a press.
 */
export async function chooseWallet(
  dialog: Locator,
  next: Locator,
  press = (wallet: Locator) => wallet.click({ timeout: 2_000 }),
): Promise<void> {
  const wallet = dialog.getByRole("button", { name: WALLET_NAME });
  await expect(async () => {
    if (!(await next.isVisible())) await press(wallet);
    await expect(next).toBeVisible({ timeout: 2_000 });
  }).toPass(PATIENCE);
}

/** Presses "Sign" in the dialog that explains a signature. */
export async function sign(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title, exact: true });
  await dialog.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(dialog).toBeHidden();
}

/**
 * Opens a menu and chooses one of its actions. If the page moves under a press, people press again. So does this, but
 * only until the menu is open: an action whose press took long has been chosen all the same, and may have left the page.
 */
export async function choose(trigger: Locator, action: string): Promise<void> {
  const item = trigger.page().locator("[role=menu][data-open]").getByRole("menuitem", { name: action });
  await expect(async () => {
    // Checked first, and again after a while, since a second press closes a menu that opened late.
    if (!(await item.isVisible())) await trigger.click({ timeout: 30_000 });
    await expect(item).toBeVisible({ timeout: 30_000 });
  }).toPass(PATIENCE);
  await item.click();
}

/** Goes from the filled form of the open dialog to its review, and makes the payment. */
export async function reviewAndPay(page: Page, amount: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Review", exact: true }).click();
  await dialog.getByRole("button", { name: amount, exact: true }).click();
}

/** Accounts that one test uses at a time, and that are made when no test has given one back (lent-accounts.ts). */
interface Accounts {
  /** Has up to 500 USDG in the available balance and 50 USDG of deposited money. */
  owner: Owner;
  /** Enrolled. Has only what other tests pay it. */
  other: Owner;
  /** Has an agent that asks for every payment above 10 USDG. */
  asking: Asking;
  /** A payer and a recipient with one payment between them. */
  books: Books;
  /** For the settings: requiring client-signed payments removes its keys' ability to pay. */
  settled: Owner;
  /** Has a unique available balance of 73.19 USDG, to check what locking hides. No test pays from it. */
  saver: Owner;
  /** Has 5 USDG of deposited money. */
  holder: Owner;
  /** Has something on every page. */
  filled: Owner;
  /** Only the webhook tests use it, so that all deliveries and events are theirs. */
  sender: Owner;
}

interface Options {
  /**
   * Which worker holds the keys: `shared` by all pages, as in most browsers, or each page's `own`, as in browsers
   * without shared workers. Playwright can see and intercept only the requests of the latter.
   */
  vault: "shared" | "own";
}

interface PerTest {
  /** A page signed in as `owner`, with its wallet. */
  ownerPage: Page;
  wallet: InjectedWallet;
}

type Borrow<T> = [
  (args: { configDir: string }, use: (account: T) => Promise<void>, info: TestInfo) => Promise<void>,
  { timeout: number },
];

/** A fixture that is lent to each test. Its time limit is its own: the first test has to wait until it is made. */
function lent<T>(
  kind: keyof Accounts,
  make: (configDir: string) => Promise<T>,
  again: (stored: T, configDir: string) => T,
): Borrow<T> {
  const fixture: Borrow<T>[0] = async ({ configDir }, use, info) => {
    const revive = (stored: T) => again(stored, configDir);
    const { account, giveBack } = await lend(kind, () => make(configDir), revive);
    await use(account);
    if (info.status === info.expectedStatus) giveBack();
  };
  return [fixture, { timeout: 180_000 }];
}

const lentOwner = (kind: keyof Accounts, options: Parameters<typeof newOwner>[2]) =>
  lent(kind, (configDir) => newOwner(kind, configDir, options), ownerAgain);

async function newFilled(configDir: string): Promise<Owner> {
  const filled = await newOwner("filled", configDir, { available: "40", deposited: "3" });
  const { client, handle } = filled;
  await client.agents.create({ name: "bot" });
  await client.transfers.create({ to: `${handle}/bot`, amount: "5", clientSigned: true });
  // The longest label that people give.
  await client.keys.create({
    label: "Server of the northern branch, invoices and wages since 2026",
    agent: `${handle}/bot`,
  });
  await client.transfers.create({ to: "@demo", amount: "1.5", memo: "Coffee", clientSigned: true });
  await client.webhooks.create({ url: `${productURL}/nobody-listens`, events: ["transfer.confirmed"] }).catch(() => {});
  return filled;
}

export const test = base.extend<PerTest & Accounts & Options>({
  vault: ["own", { option: true }],
  context: async ({ context, vault }, use) => {
    await recordAnnouncements(context);
    if (vault === "own") await context.addInitScript(() => Reflect.deleteProperty(window, "SharedWorker"));
    await use(context);
  },
  owner: lentOwner("owner", { available: "500", deposited: "50" }),
  other: lentOwner("other", {}),
  asking: lent("asking", newAsking, askingAgain),
  books: lent("books", newBooks, booksAgain),
  settled: lentOwner("settled", { available: "20" }),
  saver: lentOwner("saver", { available: "73.19" }),
  holder: lentOwner("holder", { deposited: "5" }),
  filled: lent("filled", newFilled, ownerAgain),
  sender: lentOwner("sender", { available: "50" }),
  wallet: async ({ page, owner, playwright }, use) => use(await signedIn(page, owner.walletKey, playwright)),
  ownerPage: async ({ page, wallet }, use) => {
    expect(wallet.address).toBeTruthy();
    await use(page);
  },
});

export { expect };
