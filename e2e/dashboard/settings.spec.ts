import { readFile } from "node:fs/promises";
import type { Route } from "@playwright/test";
import { expectAnnounced } from "../announcements";
import { expectAccessible, shot, shotOfState } from "./checks";
import { holdScripts, pressEarly } from "./early";
import { expect, sign, signedIn, test, unlock } from "./fixtures";
import { confirm, LOG, SECURITY } from "./settings-fixtures";

// One account for all tests. Each adds to its log.
test.describe.configure({ mode: "default" });

test("settings say who one is; a name the sandbox refuses is not verified; the theme is kept; a signing key that expires soon is renewed", async ({
  page,
  settled,
  playwright,
}) => {
  await signedIn(page, settled.walletKey, playwright);
  await page.goto("/test/settings");
  await expect(page.getByText(settled.handle, { exact: true }).last()).toBeVisible();
  await expect(page.getByText(/^in block \d+$/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Enroll on the live network" })).toHaveAttribute("href", "/live/welcome");
  await shot(page, "settings");

  const identity = page.locator("section", { has: page.getByRole("heading", { name: "Identity" }) });
  await identity.getByText("Try another outcome of the sandbox").click();
  await identity.getByLabel("Full name").fill("Sandbox Rejected");
  await identity.getByRole("button", { name: "Verify again" }).click();
  await expect(identity.getByText("You were not verified.")).toBeVisible();
  await identity.getByLabel("Full name").fill("");
  await identity.getByRole("button", { name: "Verify identity" }).click();
  await expect(identity.getByText("Your identity is verified on this network.")).toBeVisible();

  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.goto("/docs");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

  // A payment key that expires within 30 days is said on every page, and the wallet renews it there.
  await page.goto("/test/settings");
  const until = page.getByText("Valid until").locator("time");
  const before = (await until.getAttribute("datetime")) ?? "";
  await expect(page.getByText("Your payment key expires", { exact: false })).toHaveCount(0);
  // What this page shows 345 days from now.
  await page.clock.setFixedTime(Date.now() + 345 * 86_400_000);
  await page.reload();
  await expect(page.getByText("Your payment key expires in 20 days.")).toBeVisible();
  await expectAccessible(page);
  await unlock(page);
  await page.getByRole("button", { name: "Renew", exact: true }).click();
  await sign(page, "Renew the payment key");
  await expectAnnounced(page, "Your payment key is renewed");
  await expect.poll(async () => (await until.getAttribute("datetime")) ?? "").not.toBe(before);
  expect(Date.parse((await until.getAttribute("datetime")) ?? "")).toBeGreaterThan(Date.parse(before));
});

test("requiring client-signed payments is asked about and logged, on and off; a press before the scripts have run turns nothing on", async ({
  page,
  settled,
  playwright,
}) => {
  await signedIn(page, settled.walletKey, playwright);
  const arrive = await holdScripts(page);
  await page.goto(SECURITY, { waitUntil: "commit" });
  const strict = page.getByRole("switch", { name: "Require client-signed payments" });
  // Pressed before the page's scripts have run, it does not look as if it were on.
  await pressEarly(strict);
  await expect(strict).not.toBeChecked();
  await arrive();
  const dialog = page.getByRole("dialog", { name: "Require client-signed payments?" });
  await expect(dialog).toContainText("can't pay by");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Leave off" }).click();
  await expect(strict).not.toBeChecked();
  await strict.click();
  await confirm(page, "Require client-signed payments?", "Turn on");
  await expect(strict).toBeChecked();
  await strict.click();
  await confirm(page, "Allow server-signed payments?", "Turn off");
  await expect(strict).not.toBeChecked();

  const together = page.getByRole("switch", { name: "Send waiting payments together" });
  await together.click();
  await expectAnnounced(page, "Each payment is sent by itself");
  await page.reload();
  await expect(together).not.toBeChecked();

  await page.goto(`${LOG}?action=account.strict_changed`);
  const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("strict");
  await expect(rows.nth(1)).toContainText("You, in this session");
});

test("the audit log is verified in the browser, and an entry that was changed is named", async ({
  page,
  settled,
  playwright,
}) => {
  await signedIn(page, settled.walletKey, playwright);
  await page.goto(LOG);
  const chain = page.getByRole("region", { name: "Chain of hashes" });
  await expect(chain.getByText("What is shown is unchanged.")).toBeVisible();
  await chain.getByRole("button", { name: "Verify whole log" }).click();
  await expect(chain.getByText("The whole log is unchanged.")).toBeVisible();
  await expect(chain).toContainText(/Verified \d+ entries back to the first/);
  await chain.getByRole("button", { name: "Check again" }).click();
  await expect(chain).toContainText("It still matches what this browser noted");
  await expectAccessible(page);
  await shot(page, "audit-log");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export JSON" }).click(),
  ]);
  const { entries } = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(entries.at(-1).position).toBe(1);

  // The service returns something other than it wrote.
  type Listed = { entries: { id: string; client_address: string | null }[] };
  const change = ({ entries: [first, second, ...rest], ...page }: Listed) => ({
    ...page,
    entries: [first, { ...second, client_address: "203.0.113.9" }, ...rest],
  });
  const changed = async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  };
  // The last request may be on its way when the page is closed.
  await page.route(/\/v1\/audit-log\?/, (route) => changed(route).catch(() => {}));
  await chain.getByRole("button", { name: "Check again" }).click();
  await expect(chain.getByRole("alert")).toContainText("The log was changed after it was written.");
  await expect(chain).toContainText(`${entries[1].id} was changed`);
  await expectAccessible(page);
  await shotOfState(page, "audit-log-broken");
});
