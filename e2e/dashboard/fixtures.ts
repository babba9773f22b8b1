import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base, expect, type Page, type PlaywrightWorkerArgs } from "@playwright/test";
import type { Hex } from "viem";
import { WalletSession } from "../api/wallet-session";
import { type Asking, newAsking } from "./approvals-fixtures";
import { newOwner, type Owner, productURL } from "./owner";
import { type Books, newBooks } from "./transfers-fixtures";
import { type InjectedWallet, injectWallet, WALLET_NAME } from "./wallet";

/** A session cookie made through the API: the page is signed in without having signed in. */
export async function signedIn(
  page: Page,
  key: Hex,
  playwright: PlaywrightWorkerArgs["playwright"],
  options: { differently?: boolean; chainId?: number } = {},
): Promise<InjectedWallet> {
  const session = await WalletSession.open(playwright, productURL, { key });
  const { cookies } = await session.http.storageState();
  await page.context().addCookies(cookies);
  await session.http.dispose();
  return injectWallet(page, key, options);
}

/** Unlocks as a person does: opens the dialog, chooses the injected wallet if asked, signs. */
export async function unlock(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  // A press before the page's scripts have run is lost.
  await expect(async () => {
    if (!(await dialog.isVisible()))
      await page.getByRole("button", { name: /^(Locked|Read only)/ }).click({ timeout: 2_000 });
    await expect(dialog).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  await unlockInDialog(page);
  await expect(page.getByRole("button", { name: /^Unlocked/ })).toBeVisible();
}

/** Unlocks in the dialog that is open, with the wallet of the tests. */
export async function unlockInDialog(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  const wallet = dialog.getByRole("button", { name: WALLET_NAME });
  const button = dialog.getByRole("button", { name: "Unlock", exact: true });
  const ready = button.and(page.locator(":enabled"));
  // The wallet that was used before comes back by itself; until then the dialog may show the choice for a moment.
  await expect(async () => {
    if (!(await ready.isVisible())) await wallet.click({ timeout: 2_000 });
    await expect(ready).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await button.click();
  await expect(dialog).toBeHidden();
}

/** Presses "Sign" of the dialog that says what a signature is for. */
export async function sign(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title, exact: true });
  await dialog.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Goes from the filled form of the open dialog to its review, and makes the payment that stands there. */
export async function reviewAndPay(page: Page, amount: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Review", exact: true }).click();
  await dialog.getByRole("button", { name: amount, exact: true }).click();
}

/** Accounts a worker makes when the first of its tests needs them. */
interface Shared {
  /** Where this worker's SDK clients keep their pins. */
  configDir: string;
  /** 100 USDG in the budget, 50 of credit. */
  owner: Owner;
  /** Enrolled; has what other tests pay it, and nothing else. */
  other: Owner;
  /** With an agent that asks for everything over 10 USDG. */
  asking: Asking;
  /** A payer and a recipient with one payment between them. */
  books: Books;
  /** For the settings: requiring client-signed payments takes its keys what they pay with. */
  settled: Owner;
  /** A budget of a figure that stands nowhere else, for what locking hides: 73.19 USDG. */
  saver: Owner;
  /** 5 USDG of credit. */
  holder: Owner;
  /** Something on every page. */
  filled: Owner;
  /** Its deliveries and events are those of tests of webhooks alone. */
  sender: Owner;
}

interface Options {
  /**
   * Whose worker holds the keys: `shared` by all pages, as in most browsers, or each page's `own`, as where there are no
   * shared ones. Playwright sees and stops the requests of the latter alone.
   */
  vault: "shared" | "own";
}

interface PerTest {
  /** A page signed in as `owner`, with its wallet. */
  ownerPage: Page;
  wallet: InjectedWallet;
}

type Maker<T> = [
  (args: { configDir: string }, use: (fixture: T) => Promise<void>) => Promise<void>,
  { scope: "worker"; timeout: number },
];

/** A worker's fixture that `make` creates. */
function fixture<T>(make: (configDir: string) => Promise<T>): Maker<T> {
  return [async ({ configDir }, use) => use(await make(configDir)), { scope: "worker", timeout: 480_000 }];
}

async function newFilled(configDir: string): Promise<Owner> {
  const filled = await newOwner("filled", configDir, { budget: "40", credit: "3" });
  const { client, handle } = filled;
  await client.agents.create({ name: "bot" });
  await client.transfers.create({ to: `${handle}/bot`, amount: "5", prepared: true });
  await client.transfers.create({ to: "@demo", amount: "1.5", memo: "Coffee", prepared: true });
  await client.webhooks.create({ url: `${productURL}/nobody-listens`, events: ["transfer.confirmed"] }).catch(() => {});
  return filled;
}

/**
 * All workers' fixtures are here: to a test with others of its own Playwright gives another worker, and that starts
 * again.
 */
export const test = base.extend<PerTest & Options, Shared>({
  vault: ["own", { option: true }],
  context: async ({ context, vault }, use) => {
    if (vault === "own") await context.addInitScript(() => Reflect.deleteProperty(window, "SharedWorker"));
    await use(context);
  },
  configDir: [
    async ({ playwright: _ }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "halcyon-dashboard-"));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  owner: fixture((configDir) => newOwner("owner", configDir, { budget: "100", credit: "50" })),
  other: fixture((configDir) => newOwner("other", configDir)),
  asking: fixture(newAsking),
  books: fixture(newBooks),
  settled: fixture((configDir) => newOwner("settled", configDir, { budget: "20" })),
  saver: fixture((configDir) => newOwner("saver", configDir, { budget: "73.19" })),
  holder: fixture((configDir) => newOwner("holder", configDir, { credit: "5" })),
  filled: fixture(newFilled),
  sender: fixture((configDir) => newOwner("hooks", configDir, { budget: "50" })),
  wallet: async ({ page, owner, playwright }, use) => use(await signedIn(page, owner.walletKey, playwright)),
  ownerPage: async ({ page, wallet }, use) => {
    expect(wallet.address).toBeTruthy();
    await use(page);
  },
});

export { expect };
