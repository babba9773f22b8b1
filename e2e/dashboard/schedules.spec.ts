import { localContext } from "@/sdk/local-context";
import { createSchedule } from "@/sdk/payments/schedules/write-schedule";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { newOwner, type Owner, productURL } from "./owner";

const DAY_MS = 86_400_000;

/** Another client of the owner stores a schedule of the day before yesterday, so that a payment of it is due at once. */
async function scheduledEarlier({ walletKey }: Owner, configDir: string, to: string): Promise<void> {
  const context = localContext({ url: productURL, walletKey, configDir });
  const start = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const rule = { frequency: "monthly", start } as const;
  const created = new Date(Date.now() - 2 * DAY_MS);
  await createSchedule(context, { name: "Cleaning", rule, payments: [{ to, amount: "5" }] }, undefined, created);
}

test("an owner schedules a payment, sees its dates, and pays it when it is due, once", async ({
  page,
  playwright,
  configDir,
  other,
}) => {
  const owner = await newOwner("scheduler", configDir, { available: "20" });
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/schedules");
  await page.getByRole("link", { name: "New schedule" }).click();
  await unlock(page);
  await page.getByLabel("Name").fill("Office rent");
  await page.getByLabel("Recipient").fill(other.handle);
  await page.getByLabel("Amount", { exact: true }).fill("5");
  await page.getByLabel("First date").fill("2099-01-31");
  await expect(page.getByText("Sat, Feb 28, 2099")).toBeVisible();
  await page.getByLabel("If it falls on a weekend").selectOption("before");
  await expect(page.getByText("Fri, Feb 27, 2099")).toBeVisible();
  await page.getByLabel("If it falls on a weekend").selectOption("keep");
  await expectAccessible(page);
  await shot(page, "schedules-new");
  await page.getByRole("button", { name: "Create schedule" }).click();
  await expect(page.getByRole("heading", { name: /Office rent/ })).toBeVisible();
  await expect(page.getByText("Next", { exact: true })).toBeVisible();
  await page.goto("/test/schedules");
  await unlock(page);
  await expect(page.getByText("Office rent")).toBeVisible();
  await scheduledEarlier(owner, configDir, other.handle);
  await expect(page.getByText("1 payment is due")).toBeVisible();
  await shot(page, "schedules-due");
  await page.getByRole("button", { name: "Review and pay" }).click();
  const review = page.getByRole("dialog", { name: "Pay what is due" });
  await expect(review.getByText("5.00 USDG")).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "schedules-review");
  await review.getByRole("button", { name: "Pay now" }).click();
  await expect(review).toBeHidden();
  await expect(page.getByText("1 payment is due")).toBeHidden();
  await page.getByRole("link", { name: "Cleaning" }).click();
  await expect(page.getByText("Paid", { exact: true })).toBeVisible();
  await expect(page.getByText("Next", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "schedules-detail");
});
