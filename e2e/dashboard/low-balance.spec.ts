import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";

/** An amount that does not occur by accident, and above everything the account has. */
const BELOW = "913728.194357";

test("an available balance below its rule is said on every page, and the rule stays in this browser, encrypted", async ({
  page,
  owner,
  playwright,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.addInitScript(() => {
    const shown: string[] = [];
    class Recorder extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title: string, options?: NotificationOptions) {
        super();
        shown.push(`${title} ${options?.body ?? ""}`);
      }
    }
    Object.assign(window, { Notification: Recorder, shown });
    // The page does not have the focus.
    document.hasFocus = () => false;
  });
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/settings/notifications");
  await unlock(page);
  await expect(page.getByText("It only works while a dashboard is open and unlocked")).toBeVisible();
  await page.getByRole("button", { name: "Notify me" }).click();
  await expect(page.getByRole("button", { name: "Stop notifying me" })).toBeVisible();
  await page.getByLabel("Warn me below").fill(BELOW);
  await page.getByRole("button", { name: "Save rule" }).click();
  const notice = page.getByRole("region", { name: "Low balances" });
  await expect(notice).toContainText("Your available USDG is low.");
  await expect(page.getByRole("list", { name: "Rules" })).toContainText("913,728.194357");
  await expectAccessible(page);
  await shot(page, "low-balance");
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  await expect.poll(shown).toEqual(["Your available USDG is low "]);

  // Another page shows it too, until it is dismissed.
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await expect(page).toHaveURL(/\/test\/agents$/);
  await expect(notice.getByRole("link", { name: "Make USDG available" })).toBeVisible();
  await shotOfState(page, "low-balance-notice");
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toBeHidden();

  const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  expect(kept).toContain("halcyon.low-balance.test.");
  for (const text of [kept, ...asked]) expect(text).not.toMatch(/913,?728\.?194357|\b913728/);
});
