import { expect, type Page } from "@playwright/test";

export const SECURITY = "/test/settings/security";
export const LOG = "/test/settings/audit-log";

/** Confirms in a dialog whose focus does not start on the confirming button. */
export async function confirm(page: Page, title: string | RegExp, verb: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  await expect(dialog.getByRole("button", { name: /^(Keep|Leave)/ })).toBeFocused();
  await dialog.getByRole("button", { name: verb }).click();
  await expect(dialog).toBeHidden();
}
