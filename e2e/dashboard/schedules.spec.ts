import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";

test("an owner schedules a payment, sees its dates, and pays it when it is due, once", async ({
  page,
  playwright,
  configDir,
}) => {
  test.slow();
  const owner = await newOwner("scheduler", configDir, { budget: "20" });
  const bob = await newOwner("scheduled", configDir, {});
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/schedules");
  await page.getByRole("link", { name: "New schedule" }).click();
  await unlock(page);
  await page.getByLabel("Name").fill("Office rent");
  await page.getByLabel("Recipient").fill(bob.handle);
  await page.getByLabel("Amount", { exact: true }).fill("5");
  await page.getByLabel("First date").fill("2099-01-31");
  await expect(page.getByText("Sat, Feb 28, 2099")).toBeVisible();
  await page.getByLabel("If it falls on a weekend").selectOption("before");
  await expect(page.getByText("Fri, Feb 27, 2099")).toBeVisible();
  await page.getByLabel("If it falls on a weekend").selectOption("keep");
  await expectAccessible(page);
  await shot(page, "schedules-new");
  // Due in one to two minutes: only now, because checks and pictures take a while.
  const soon = await page.evaluate(() => {
    const at = new Date(Date.now() + 120_000);
    const two = (value: number) => String(value).padStart(2, "0");
    return {
      date: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
      time: `${two(at.getHours())}:${two(at.getMinutes())}`,
    };
  });
  await page.getByLabel("First date").fill(soon.date);
  await page.getByLabel("Time", { exact: true }).fill(soon.time);
  await page.getByRole("button", { name: "Create schedule" }).click();
  await expect(page.getByRole("heading", { name: /Office rent/ })).toBeVisible();
  await expect(page.getByText("Next", { exact: true })).toBeVisible();
  await page.goto("/test/schedules");
  await unlock(page);
  await expect(page.getByText("Office rent")).toBeVisible();
  // The date itself has to come: up to two minutes.
  await expect(page.getByText("1 payment is due")).toBeVisible({ timeout: 150_000 });
  await shot(page, "schedules-due");
  await page.getByRole("button", { name: "Review and pay" }).click();
  const review = page.getByRole("dialog", { name: "Pay what is due" });
  await expect(review.getByText("5.00 USDG")).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "schedules-review");
  await review.getByRole("button", { name: "Pay now" }).click();
  await expect(review).toBeHidden();
  await expect(page.getByText("1 payment is due")).toBeHidden();
  await page.getByRole("link", { name: "Office rent" }).click();
  await expect(page.getByText("Paid", { exact: true })).toBeVisible();
  await expect(page.getByText("Next", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "schedules-detail");
});
