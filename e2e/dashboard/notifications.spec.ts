import { newAsking } from "./approvals-fixtures";
import { expectAccessible, shot } from "./checks";
import { expect, signedIn, test } from "./fixtures";
import { productURL } from "./owner";

test("an address that its reader confirms gets a mail about a held payment that says nothing of it, and can be stopped", async ({
  page,
  playwright,
  configDir,
  other,
}) => {
  const asking = await newAsking(configDir);
  await signedIn(page, asking.owner.walletKey, playwright);
  await page.goto("/test/settings/notifications");
  await expect(page.getByText("No device yet.")).toBeVisible();
  await page.getByLabel("Email address").fill("owner@example.com");
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await expect(page.getByText("Not confirmed")).toBeVisible();
  await expectAccessible(page);

  const inbox = page.getByRole("list", { name: "Messages" }).getByRole("listitem");
  const arrived = (subject: string) =>
    expect(async () => {
      await page.goto("/test/inbox");
      await expect(inbox.filter({ hasText: subject })).toHaveCount(1, { timeout: 1_000 });
    }).toPass();
  await arrived("Confirm your email address");
  await inbox.getByRole("link", { name: /notifications\/confirm/ }).click();
  const confirm = page.getByRole("button", { name: "Confirm address" });
  await expect(confirm).toBeVisible();
  await expectAccessible(page);
  await confirm.click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();

  await asking.hold({ to: other.handle, amount: "17.391847", memo: "canary-memo-notifications" });
  await arrived("A payment awaits your approval");
  const text = await page.content();
  for (const secret of ["17.391847", "17391847", "canary-memo-notifications", other.handle.slice(1)]) {
    expect(text).not.toContain(secret);
  }
  await expectAccessible(page);
  await shot(page, "inbox");

  await inbox
    .getByRole("link", { name: /notifications\/unsubscribe/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Stop emails" }).click();
  await expect(page.getByRole("heading", { name: "The emails have stopped" })).toBeVisible();
  await page.goto("/test/settings/notifications");
  await expect(page.getByText("Unsubscribed", { exact: true })).toBeVisible();
  await shot(page, "notifications");

  // Without a session, no one can see an inbox.
  const visitor = await fetch(`${productURL}/test/inbox`, { redirect: "manual" });
  expect(visitor.headers.get("location")).toContain("/sign-in");
});
