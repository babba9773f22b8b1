import { expectAccessible, shotOfState } from "./checks";
import { expect, reviewAndPay, test, unlock } from "./fixtures";

test("a handle's address is remembered at its first payment, listed, and forgotten only when confirmed", async ({
  ownerPage: page,
  other,
}) => {
  const to = async (says: string) => {
    await page.goto("/test/balances");
    await unlock(page);
    await page.getByRole("link", { name: "Send", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Send" });
    await dialog.getByLabel("To", { exact: true }).fill(other.handle);
    await expect(dialog.getByText(says)).toBeVisible();
    return dialog;
  };
  const dialog = await to("First payment: this address is remembered");
  await dialog.getByLabel("Amount", { exact: true }).fill("0.5");
  await reviewAndPay(page, "Pay 0.5 USDG");
  await expect(dialog.getByText("Final on chain.")).toBeVisible();
  await to("Same address as at your first payment.");

  await page.goto("/test/settings/security");
  const row = page
    .getByRole("table", { name: "Remembered handles" })
    .getByRole("row")
    .filter({ hasText: other.handle });
  await expect(row).toContainText(other.address.toLowerCase());
  await row.getByRole("button", { name: `Forget ${other.handle}` }).click();
  const confirm = page.getByRole("dialog", { name: `Forget ${other.handle}?` });
  await expect(confirm.getByRole("button", { name: "Keep handle" })).toBeFocused();
  await expectAccessible(page);
  await shotOfState(page, "forget-handle");
  await confirm.getByRole("button", { name: "Keep handle" }).click();
  await expect(row).toBeVisible();
  await row.getByRole("button", { name: `Forget ${other.handle}` }).click();
  await confirm.getByRole("button", { name: "Forget handle" }).click();
  // First: the message stays for 5 seconds.
  await expect(page.getByText(`${other.handle} is forgotten`)).toBeVisible();
  await expect(row).toHaveCount(0);
  await to("First payment: this address is remembered");
});
