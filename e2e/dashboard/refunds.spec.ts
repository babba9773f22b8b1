import { expectAnnounced } from "../announcements";
import { expectAccessible, shotOfState } from "./checks";
import { expect, reviewAndPay, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";

test("a received payment is refunded in parts, never by more than is left, and its payer sees what of", async ({
  page,
  configDir,
  playwright,
  owner: buyer,
}) => {
  const shop = await newOwner("seller", configDir, { available: "20" });
  const paid = await buyer.client.transfers.create({
    to: shop.handle,
    amount: "8",
    reference: "order-8",
    clientSigned: true,
  });
  const id = ("transfer_id" in paid && paid.transfer_id) || "";
  await signedIn(page, shop.walletKey, playwright);
  await page.goto(`/test/transfers/${id}`);
  await unlock(page);
  const dialog = page.getByRole("dialog", { name: `Refund to ${buyer.handle}` });
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await dialog.getByRole("textbox", { name: "Amount" }).fill("8.5");
  await dialog.getByRole("button", { name: "Review", exact: true }).click();
  await expect(dialog.getByText("At most 8.00 USDG of this payment can still be refunded.")).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "refund-too-much");
  await dialog.getByRole("textbox", { name: "Amount" }).fill("3");
  await reviewAndPay(page, "Refund 3.00 USDG");
  await expect(page.getByText("Final on chain.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await expect(dialog.getByText("3.00 USDG of it was refunded before; 5.00 USDG is left.")).toBeVisible();
  await shotOfState(page, "refund-rest");
  await reviewAndPay(page, "Refund 5.00 USDG");
  await expect(page.getByText("Final on chain.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await expectAnnounced(page, "Refunded in full");
  const { transfers } = await buyer.client.transfers.listDecrypted({ refundOf: id });
  expect(transfers.map(({ amount, direction, refund_of }) => [amount, direction, refund_of])).toEqual([
    ["5", "received", id],
    ["3", "received", id],
  ]);
});
