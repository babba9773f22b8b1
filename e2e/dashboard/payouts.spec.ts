import { readFile } from "node:fs/promises";
import type { Route } from "@playwright/test";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";

test("a file is checked row by row, approved once, paid over a closed page, and each row has a receipt", async ({
  page,
  configDir,
  playwright,
  other,
}) => {
  const payer = await newOwner("payroll", configDir, { available: "30" });
  await signedIn(page, payer.walletKey, playwright);
  await page.goto("/test/payouts");
  await page.getByRole("link", { name: "New payout" }).click();
  await unlock(page);
  const faulty = [
    "to,amount,memo",
    `${other.handle},1.50,fine`,
    `@demo,0.12345678,eight decimals`,
    "@nobody-is-called-so,1,unknown",
    `${other.handle},1.50,again`,
  ];
  await page.getByRole("textbox", { name: "Rows" }).fill(faulty.join("\n"));
  await shot(page, "payouts-new");
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page.getByText("3 errors. Nothing can be paid yet.")).toBeVisible();
  const rows = page.getByRole("table", { name: "Rows" });
  for (const line of [3, 4, 5]) await expect(rows.getByRole("row", { name: `Line ${line}` })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve/ })).toBeHidden();
  await expectAccessible(page);
  await shot(page, "payouts-faults");
  await page.getByRole("button", { name: "Choose another file" }).click();

  // As a spreadsheet with another locale writes it.
  const content = Array.from({ length: 17 }, (_, at) => `${at % 2 ? other.handle : "@demo"};0.5;wages-${at + 1}`);
  const text = `\uFEFFto;amount;reference\r\n${[...content, `${other.handle};2.25;=bonus`].join("\r\n")}`;
  const file = { name: "wages.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.getByText("10.75")).toBeVisible();
  await expectAccessible(page);
  await shot(page, "payouts-review");
  // The payout is accepted but the response is lost. Approving it again is the same payout.
  let losing = true;
  await page.route("**/v1/payouts/*/rows?*", async (route) => {
    if (!losing || route.request().method() !== "POST") return route.fallback();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Approve 18 payments" }).click();
  const asked = page.getByRole("dialog", { name: "Pay 10.75 USDG to 2 people in 18 payments?" });
  await expect(asked.getByText("All are new in this browser.")).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "payouts-asked");
  await asked.getByRole("button", { name: "Pay 18 payments" }).click();
  await expect(asked.getByRole("alert")).toBeVisible();
  losing = false;
  await asked.getByRole("button", { name: "Pay 18 payments" }).click();
  // The dialog's title names the payments too.
  await page.waitForURL(/\/payouts\/po_/);
  await expect(page.getByRole("heading", { name: "18 payments", exact: true })).toBeVisible();
  await shotOfState(page, "payouts-paying");
  const address = page.url();
  await page.close();

  const again = await page.context().newPage();
  await signedIn(again, payer.walletKey, playwright);
  await again.goto(address);
  await unlock(again);
  await expect(again.getByRole("table", { name: "Rows of the payout" })).toContainText("=bonus");
  await shot(again, "payouts-interrupted");
  const continued = again.getByRole("button", { name: /^Continue paying \d+ payments?, [\d.]+ USDG$/ });
  await again.context().setOffline(true);
  await continued.click();
  await expect(again.getByText("You are offline. Nothing was prepared.")).toBeVisible();
  await again.context().setOffline(false);
  // What left this browser and got no response is unknown, also on other pages, and nothing is paid twice.
  const lost = (route: Route) => (route.request().method() === "POST" ? route.abort() : route.fallback());
  await again.context().route("**/v1/transfers/batch?*", lost);
  await continued.click();
  await expect(
    again.getByText(/We don't know yet whether its newest payments were made: the response was lost/),
  ).toBeVisible();
  await expect(again.getByText("We don't know yet what became of part of your payout.")).toBeVisible();
  await again.context().unroute("**/v1/transfers/batch?*", lost);
  await continued.click();
  await expect(again.getByText("18 of 18 paid")).toBeVisible();
  await expect(again.getByText("Finished", { exact: true })).toBeVisible();
  await expectAccessible(again);
  await shot(again, "payouts-finished");
  const saved = again.waitForEvent("download");
  await again.getByRole("button", { name: "Download result" }).click();
  const result = await readFile(await (await saved).path(), "utf8");
  expect(result.match(/,paid,tr_/g)).toHaveLength(18);
  expect(result).toContain("'=bonus");
  await again.getByRole("link", { name: "Transfer", exact: true }).first().click();
  await expect(again.getByRole("button", { name: "Create receipt" })).toBeVisible();
  await again.goto("/test/payouts");
  await expect(again.getByRole("list", { name: "Payouts" })).toContainText("18 of 18 paid");
  await expect(again.getByRole("list", { name: "Payouts" }).getByRole("listitem")).toHaveCount(1);
  await shot(again, "payouts");
  const { transfers } = await payer.client.transfers.listDecrypted({ kind: "payout", limit: 100 });
  expect(transfers.map(({ status }) => status)).toEqual(Array(18).fill("confirmed"));
});
