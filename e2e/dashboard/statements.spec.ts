import { shopOf } from "../cli/sellers";
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

test("a seller sees what each resource has earned, decrypted in the browser", async ({
  page,
  configDir,
  playwright,
}) => {
  const [seller, buyer] = [await newOwner("shop", configDir), await newOwner("reader", configDir, { budget: "5" })];
  const shop = await shopOf({ address: seller.address, client: async () => seller.client });
  try {
    for (const day of [1, 2]) {
      const { response } = await buyer.client.x402.pay(`${shop.url}/report?day=${day}`, { max: "0.05" });
      expect(response.status).toBe(200);
    }
    await buyer.client.x402.pay(`${shop.url}/shout`, { max: "0.05", method: "POST", body: "hello" });
    const [paid] = (await seller.client.transfers.listDecrypted()).transfers;
    const memo = paid?.memo?.replace("/shout", "/gold") ?? "";
    await buyer.client.transfers.create({ to: seller.handle, amount: "0.05", memo, prepared: true });
  } finally {
    await shop.close();
  }
  await signedIn(page, seller.walletKey, playwright);
  await page.goto("/test/statements");
  await unlock(page);
  await page.getByRole("button", { name: "Create statement" }).click();
  const earned = page.getByRole("table", { name: "Sold over HTTP 402" });
  const rows = earned.getByRole("row").filter({ hasText: shop.url });
  await expect(rows).toHaveText([/GET.*\/report.*2.*0\.1 USDG/s, /POST.*\/shout.*1.*0\.05 USDG/s]);
  await expect(page.getByText("1 payment is left out")).toBeVisible();
  await expectAccessible(page);
  await shot(page, "earnings");
});
