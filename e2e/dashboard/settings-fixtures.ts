import { expect, type Page } from "@playwright/test";
import { productURL } from "./owner";

export const SECURITY = "/test/settings/security";
export const LOG = "/test/settings/audit-log";

/** Pays as a program would. */
export function pay(key: string): Promise<Response> {
  return fetch(`${productURL}/v1/transfers`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ to: "@demo", amount: "1" }),
  });
}

/** Confirms in a dialog whose focus does not start on the confirming button. */
export async function confirm(page: Page, title: string | RegExp, verb: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await dialog.getByRole("button", { name: verb }).click();
  await expect(dialog).toBeHidden();
}
