import type { Page } from "@playwright/test";
import type { Hex } from "viem";
import { expect, signedIn, unlock } from "./fixtures";

/** The saver's available balance. */
export const AVAILABLE = "73.19";

export const locked = (page: Page) => page.getByRole("button", { name: /^Locked/ });
export const unlocked = (page: Page) => page.getByRole("button", { name: /^Unlocked/ });
export const opened = (page: Page) => page.getByText(`${AVAILABLE} USDG`).first();
export const signatures = (requests: { method: string }[]) =>
  requests.filter(({ method }) => method === "eth_signTypedData_v4" || method === "personal_sign").length;

/** Signs in on a page and unlocks it at the balances. Returns its wallet. */
export async function unlockedBalances(
  page: Page,
  owner: { walletKey: Hex },
  playwright: Parameters<typeof signedIn>[2],
) {
  const wallet = await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/balances");
  await unlock(page);
  return wallet;
}

/** Opens the unlock dialog of the locked balances. Returns it and its button. */
export async function openedDialog(page: Page) {
  await page.goto("/test/balances");
  await locked(page).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  return { dialog, button: dialog.getByRole("button", { name: "Unlock", exact: true }) };
}

/** Expects that nothing decrypted is left in texts, attributes or fields. */
export async function expectNothingDecrypted(page: Page): Promise<void> {
  await expect(locked(page)).toBeVisible();
  await expect(opened(page)).toHaveCount(0);
  const fields = await page
    .locator("input, textarea")
    .evaluateAll((all) => all.map((each) => "value" in each && each.value));
  expect(`${await page.content()} ${fields.join(" ")}`).not.toContain(AVAILABLE);
}

/**
 * Returns everything this browser would keep after closing, as text. A key that scripts can't read is represented by
 * its properties.
 */
export async function keptIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const plain = (_: string, value: unknown) => {
      if (value instanceof CryptoKey) return `key, extractable: ${value.extractable}`;
      return value instanceof ArrayBuffer ? [...new Uint8Array(value)].join() : value;
    };
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name as string));
      for (const store of database.objectStoreNames) {
        texts.push(JSON.stringify(await done(database.transaction(store).objectStore(store).getAll()), plain));
      }
      database.close();
    }
    return texts.join("\n");
  });
}
