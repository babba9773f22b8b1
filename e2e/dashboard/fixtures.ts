import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base, expect, type Page, type PlaywrightWorkerArgs } from "@playwright/test";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { Halcyon } from "@/sdk/client";
import { WalletSession } from "../api/wallet-session";
import { type InjectedWallet, injectWallet, WALLET_NAME } from "./wallet";

export const productURL = process.env.HALCYON_URL ?? "http://localhost:3000";

/** An enrolled account on the test network, and the SDK's client of it: what happens elsewhere, happens through this. */
export interface Owner {
  /** With @. */
  handle: string;
  address: string;
  walletKey: Hex;
  apiKey: string;
  /** With the wallet. */
  client: Halcyon;
}

let counter = 0;

/** A handle nobody else has. */
export function uniqueHandle(name: string): string {
  counter += 1;
  return `${name}-${process.pid}-${Date.now().toString(36)}-${counter}`;
}

/**
 * A fresh account, enrolled and verified, with an API key.
 *
 * @param options.budget USDG in its budget
 * @param options.credit USDG deposited and not allocated
 */
export async function newOwner(
  name: string,
  configDir: string,
  options: { budget?: string; credit?: string } = {},
): Promise<Owner> {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url: productURL, walletKey, configDir });
  const { handle } = await client.signup({ handle: uniqueHandle(name) });
  await client.verifyIdentity();
  if (options.budget) {
    await client.faucet({ amount: options.budget });
    await client.allocate({ amount: options.budget });
  }
  if (options.credit) await client.faucet({ amount: options.credit });
  const { api_key } = await client.createKey({ label: "Fixture" });
  return { handle, address: privateKeyToAddress(walletKey), walletKey, apiKey: api_key, client };
}

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
    if (!(await dialog.isVisible())) await page.getByRole("button", { name: /^Locked/ }).click({ timeout: 2_000 });
    await expect(dialog).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  const wallet = dialog.getByRole("button", { name: WALLET_NAME });
  const button = dialog.getByRole("button", { name: "Unlock", exact: true });
  await expect(button.or(wallet).first()).toBeVisible();
  await expect(wallet.or(button.and(page.locator(":enabled"))).first()).toBeVisible();
  if (await wallet.isVisible()) await wallet.click();
  await button.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: /^Unlocked/ })).toBeVisible();
}

/** Presses "Sign" of the dialog that says what a signature is for. */
export async function sign(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title, exact: true });
  await dialog.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(dialog).toBeHidden();
}

interface Shared {
  /** Where this worker's SDK clients keep their pins. */
  configDir: string;
  /** 100 USDG in the budget, 50 of credit. */
  owner: Owner;
  /** Enrolled; has nothing. */
  other: Owner;
}

interface PerTest {
  /** A page signed in as `owner`, with its wallet. */
  ownerPage: Page;
  wallet: InjectedWallet;
}

export const test = base.extend<PerTest, Shared>({
  configDir: [
    async ({ playwright: _ }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "halcyon-dashboard-"));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  owner: [
    async ({ configDir }, use) => use(await newOwner("owner", configDir, { budget: "100", credit: "50" })),
    { scope: "worker", timeout: 120_000 },
  ],
  other: [async ({ configDir }, use) => use(await newOwner("other", configDir)), { scope: "worker", timeout: 120_000 }],
  wallet: async ({ page, owner, playwright }, use) => use(await signedIn(page, owner.walletKey, playwright)),
  ownerPage: async ({ page, wallet }, use) => {
    expect(wallet.address).toBeTruthy();
    await use(page);
  },
});

export { expect };
