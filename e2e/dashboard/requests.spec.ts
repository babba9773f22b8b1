import { readFile } from "node:fs/promises";
import type { Page, Route } from "@playwright/test";
import { expectAccessible, shot } from "./checks";
import { expect, signedIn, test, unlock, unlockInDialog } from "./fixtures";
import { newOwner } from "./owner";

test("an invoice is created, opened on a phone, paid, found to be paid, and saved as a PDF; a link that can't be paid says why", async ({
  page,
  browser,
  configDir,
  playwright,
}) => {
  const [payee, payer] = [
    await newOwner("shop", configDir),
    await newOwner("customer", configDir, { available: "60" }),
  ];
  await signedIn(page, payee.walletKey, playwright);
  await page.goto("/test/requests");
  await unlock(page);
  await page.getByRole("link", { name: "New request" }).click();
  await page.getByRole("button", { name: /^Add lines/ }).click();
  await page.getByLabel("Line 1", { exact: true }).fill("Chair");
  await page.getByLabel("Quantity").fill("2");
  await page.getByLabel("Unit price").fill("10.50");
  await page.getByLabel("Note").fill("Thank you");
  await page.getByLabel("Invoice number").fill("2026-17");
  await page.getByLabel("Due date").fill("2027-01-31");
  await page.getByLabel("Reference").fill("order-17");
  await expectAccessible(page);
  await shot(page, "request-new");
  await page.getByRole("button", { name: "Create invoice" }).click();
  const link = await page.getByRole("textbox", { name: "Payment link" }).inputValue();
  await expect(page.getByRole("img", { name: "QR code of the payment link" })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "request");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as PDF" }).click();
  const file = await (await download).path();
  expect((await readFile(file)).subarray(0, 5).toString()).toBe("%PDF-");

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  // Playwright can't intercept what a shared worker requests.
  await context.addInitScript(() => Reflect.deleteProperty(window, "SharedWorker"));
  const phone = await context.newPage();
  const asked: string[] = [];
  phone.on("request", (request) => {
    asked.push(`${request.url()} ${request.postData() ?? ""} ${request.headers().referer ?? ""}`);
  });
  const response = await phone.goto(link);
  expect(response?.headers()["referrer-policy"]).toBe("no-referrer");
  const shown = phone.getByRole("region", { name: "Payment request" });
  await expect(shown).toContainText("21.00 USDG");
  await expect(shown).toContainText("Chair");
  await expect(phone).toHaveURL(link.split("#")[0] ?? "");
  await expect(phone.getByRole("link", { name: "Sign in to pay" })).toBeVisible();
  await expectAccessible(phone);
  await shot(phone, "pay-signed-out");
  await signedIn(phone, payer.walletKey, playwright);
  // The tab remembers the key that the page removed from its address.
  await phone.reload();
  await phone.getByRole("button", { name: "Pay 21.00 USDG" }).click();
  const review = phone.getByRole("dialog", { name: "Pay request" });
  await expect(review).toBeVisible();
  await expectAccessible(phone);
  // The payment gets no response: nothing says that it was not made, and to check again is the same payment.
  const lost = (route: Route) => (route.request().method() === "POST" ? route.abort() : route.fallback());
  await context.route("**/v1/transfers?*", lost);
  await review.getByRole("button", { name: "Pay 21.00 USDG" }).click();
  await unlockInDialog(phone);
  await expect(phone.getByText("We don't know yet whether this was paid.")).toBeVisible();
  await context.unroute("**/v1/transfers?*", lost);
  await phone.getByRole("dialog").getByRole("button", { name: "Check again" }).click();
  await expect(phone.getByText("Final on chain.")).toBeVisible();
  await shot(phone, "pay-done");
  const [key = ""] = link.split("#").slice(1);
  for (const each of asked) expect(each).not.toContain(key);

  // The payee's dashboard is open and unlocked, so it decrypts and reports the payment automatically.
  await expect(page.getByText("Your client found a payment that covers it.")).toBeVisible();
  await expect(page.getByText("Exact")).toBeVisible();
  await page.goto("/test/requests");
  await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();
  await shot(page, "requests");
  await phone.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await expect(phone.getByText("You have paid this request of 21.00 USDG.")).toBeVisible();
  await phone.goto(link);
  await expect(phone.getByText("You have paid this request of 21.00 USDG.")).toBeVisible();
  await expect(phone.getByRole("link", { name: "Dashboard", exact: true })).toBeVisible();
  await expectAccessible(phone);
  await shot(phone, "pay-paid");
  await phone.getByRole("link", { name: "View transfer and receipt" }).click();
  await expect(phone.getByRole("button", { name: "Create receipt" })).toBeVisible();

  // A link that is incomplete, wrong, cancelled or one's own says so and shows no button to pay.
  const requests = payee.client.paymentRequests;
  const [open, gone] = [await requests.create({ amount: "7" }), await requests.create({ amount: "7" })];
  await requests.cancel(gone.payment_request_id);
  const pay = (where: Page) => where.getByRole("button", { name: /^Pay / });
  await phone.goto(open.link.split("#")[0] ?? "");
  await expect(phone.getByText("The link is not complete.")).toBeVisible();
  await phone.goto(`${open.link.split("#")[0]}#${gone.link.split("#")[1]}`);
  await expect(phone.getByText("The link can't decrypt this request.")).toBeVisible();
  await expect(phone.getByText("7.00 USDG")).toBeHidden();
  await expectAccessible(phone);
  await phone.goto(gone.link);
  await expect(phone.getByText("The payee cancelled this request.")).toBeVisible();
  await expect(pay(phone)).toBeHidden();
  await page.goto(open.link);
  await expect(page.getByText("This is your own request.")).toBeVisible();
  await expect(pay(page)).toBeHidden();
  await context.close();
});
