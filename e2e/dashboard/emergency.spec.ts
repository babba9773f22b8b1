import { newAgent, pay } from "./agents-fixtures";
import { expectAccessible, shot } from "./checks";
import { expect, sign, signedIn, test } from "./fixtures";
import { newOwner } from "./owner";
import { WALLET_NAME } from "./wallet";

const PAGE = "/test/settings/security/emergency";

test("in an emergency the browser ends all keys, stops all signing and rotates the secret, also after a closed tab", async ({
  page,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("emergency", configDir, { available: "40" });
  const agent = await newAgent(owner, "10");
  await signedIn(page, owner.walletKey, playwright);
  await page.goto(PAGE);
  await expectAccessible(page);
  await shot(page, "emergency");
  const part = (name: string) =>
    page.locator("section").filter({ has: page.getByRole("heading", { name, exact: true }) });

  const keys = part("End all API keys");
  await keys.getByRole("button", { name: "End 2 keys" }).click();
  await page.getByRole("dialog", { name: "End 2 keys?" }).getByRole("button", { name: "End all" }).click();
  await expect(keys.getByText("All keys are ended.")).toBeVisible();
  expect(await pay(owner.apiKey, "1")).toMatchObject({ status: 401 });
  expect(await pay(agent.apiKey, "1")).toMatchObject({ status: 401 });

  // Without unlocking: the payment key may be off already.
  const signing = part("Stop all signing");
  await signing.getByRole("button", { name: "Stop signing" }).click();
  await page.getByRole("dialog", { name: "Stop all signing?" }).getByRole("button", { name: "Stop signing" }).click();
  // The account is locked, so the wallet is not connected yet.
  await page.getByRole("dialog", { name: "Stop all signing" }).getByRole("button", { name: WALLET_NAME }).click();
  await sign(page, "Stop all signing");
  await expect(signing.getByText("Only your wallet signs now.")).toBeVisible();
  await expect(page.getByText("Signing is stopped: only your wallet itself can pay.")).toBeVisible();
  await expect(part("Renew the payment key").getByRole("button", { name: "Renew" })).toBeDisabled();
  await expectAccessible(page);
  await shot(page, "emergency-stopped");

  // A tab that closes while it rotates finds the rest to do.
  const rotation = part("Rotate the account secret");
  await rotation.getByRole("button", { name: "Rotate secret" }).click();
  await page
    .getByRole("dialog", { name: "Rotate the account secret?" })
    .getByRole("button", { name: "Rotate secret" })
    .click();
  await sign(page, "Decrypt your key for the rotation");
  await expect(page.getByRole("dialog", { name: "Replace the payment key" })).toBeVisible();
  await page.reload();
  await expect(rotation.getByText("A rotation was not finished.")).toBeVisible();
  await shot(page, "emergency-unfinished");
  await rotation.getByRole("button", { name: "Continue" }).click();
  await sign(page, "Decrypt your key for the rotation");
  await sign(page, "Replace the payment key");
  const done = rotation.getByText("The account secret is replaced.");
  const next = page.getByRole("dialog").getByRole("button", { name: "Sign", exact: true });
  await expect(async () => {
    if (await next.isVisible()) await next.click({ timeout: 1_000 });
    await expect(done).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 120_000 });
  await expect(page.getByRole("button", { name: /^Unlocked/ })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "emergency-rotated");
  await page.reload();
  await expect(rotation.getByRole("button", { name: "Rotate secret" })).toBeVisible();

  const renewal = part("Renew the payment key");
  await renewal.getByRole("button", { name: "Renew" }).click();
});
