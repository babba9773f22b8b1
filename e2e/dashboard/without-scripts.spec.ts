import { expect, signedIn, test } from "./fixtures";
import { productURL } from "./owner";
import { LOG, SECURITY } from "./settings-fixtures";

test("without JavaScript every page has its content, lists narrow by their address, and the theme can be changed", async ({
  browser,
  filled,
  playwright,
}) => {
  const { agents } = await filled.client.agents.list();
  const [bot] = agents;
  const { transfers } = await filled.client.transfers.listDecrypted({ limit: 100 });
  const paid = transfers.find(({ to }) => to === "@demo")?.transfer_id ?? "";
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: productURL });
  const page = await context.newPage();
  await signedIn(page, filled.walletKey, playwright);
  const main = page.locator("#content");

  await page.goto("/test/transfers");
  const rows = page
    .getByRole("table", { name: "Transfers" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
  const [toDemo, toOthers] = [rows.filter({ hasText: "@demo" }), rows.filter({ hasNotText: "@demo" })];
  await expect(toDemo.first()).toBeVisible();
  await expect(toOthers.first()).toBeVisible();
  await page.locator("summary").click();
  await page.getByLabel("Counterparty").fill("demo");
  await page.getByLabel("Direction").selectOption("sent");
  await page.getByRole("button", { name: "Apply filters" }).click();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ direction: "sent", asset: "" });
  await expect(toDemo.first()).toBeVisible();
  await expect(toOthers).toHaveCount(0);
  await page.getByRole("link", { name: "Failed" }).click();
  await expect(page.getByText("No transfer matches these filters")).toBeVisible();
  await page.goto("/test/transfers?counterparty=nobody-has-this-handle");
  await expect(page.getByText("No account has this handle").first()).toBeVisible();
  await page.goto(`/test/transfers/${paid}`);
  await expect(page.getByRole("heading", { name: "Payment to @demo" })).toBeVisible();
  await expect(page.getByText("It can no longer be undone.")).toBeVisible();

  for (const path of ["/test/agents", `/test/agents/${bot?.account_id}`]) {
    await page.goto(path);
    await expect(main).toContainText(/May (not pay anyone|spend up to)/);
    await expect(main).toContainText(bot?.handle ?? "");
  }
  await expect(main).toContainText("Ask me above");
  await page.goto("/test/developers/keys");
  await expect(page.getByRole("table", { name: "API keys" })).toContainText(filled.apiKey.slice(-4));

  await page.goto("/test/settings");
  await expect(page.getByText(filled.address.slice(-4)).first()).toBeVisible();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("button", { name: "Dark", exact: true })).toHaveAttribute("aria-pressed", "true");
  await page.goto(SECURITY);
  await expect(page.getByRole("table", { name: "Sessions" })).toContainText("This browser");
  await expect(page.getByRole("table", { name: "Backups" })).toContainText("On the ledger");
  await expect(page.getByRole("switch", { name: "Require client-signed payments" })).toBeVisible();
  await page.goto(`${LOG}?action=key.created`);
  const entries = page.getByRole("table", { name: "Audit log" }).getByRole("row");
  await expect(entries.last()).toContainText("API key created");
  await expect(entries.last()).toContainText("Fixture");
  await context.close();
});
