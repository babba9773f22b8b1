import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";

test("a statement adds up, and a view of it opens for a stranger until it is deleted", async ({
  page,
  browser,
  configDir,
  playwright,
}) => {
  const owner = await newOwner("books", configDir, { budget: "120.5" });
  await owner.client.transfers.create({ to: "@demo", amount: "20.25", reference: "INV-7", prepared: true });
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/statements");
  await unlock(page);
  await page.getByRole("button", { name: "Create statement" }).click();
  await expect(page.getByText("Adds up with the chain")).toBeVisible();
  await expect(page.getByRole("table", { name: "Movements" })).toContainText("INV-7");
  await expect(page.getByText("100.25").first()).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "statement");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "PDF" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^statement-books.*\.pdf$/);

  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share with an accountant" });
  await dialog.getByLabel("Name").fill("Accountant");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Done" }).click();

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(stranger.getByText("The chain confirms each of these 2 payments.")).toBeVisible();
  await expectAccessible(stranger);
  await shot(stranger, "shared-payments");
  await page.getByRole("button", { name: "Delete Accountant" }).click();
  await page.getByRole("button", { name: "Delete view" }).click();
  await expect(page.getByText("View deleted")).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByText("This link shows nothing.")).toBeVisible();
  await stranger.context().close();
});
