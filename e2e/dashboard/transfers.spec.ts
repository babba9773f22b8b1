import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAnnounced } from "../announcements";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { productURL } from "./owner";
import { AMOUNT, MEMO } from "./transfers-fixtures";

// One set of accounts for all tests.
test.describe.configure({ mode: "default" });

const rows = (page: Page) =>
  page
    .getByRole("table", { name: "Transfers" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });

test("a day is one of the reader's zone, and filters that got a name are there again", async ({
  browser,
  books,
  playwright,
}) => {
  // A zone in which it was another day than in UTC when the payment was made, whenever this test runs. The withdrawal
  // after it may have been made on the next day.
  const { transfers } = await books.payer.client.transfers.listDecrypted();
  const { created_at: made = "" } = transfers.find((one) => one.transfer_id === books.paid) ?? {};
  const at = new Date(made);
  const isLate = at.getUTCHours() * 60 + at.getUTCMinutes() >= 630;
  const zone = isLate ? "Pacific/Kiritimati" : "Pacific/Pago_Pago";
  const day = at.toLocaleDateString("sv", { timeZone: zone });
  expect(day).not.toBe(made.slice(0, 10));
  const context = await browser.newContext({ timezoneId: zone, baseURL: productURL });
  const page = await context.newPage();
  await signedIn(page, books.payer.walletKey, playwright);
  const payee = encodeURIComponent(books.recipient.handle);
  await page.goto(`/test/transfers?counterparty=${payee}&from=${day}&to=${day}`);
  await expect(page.getByText("No transfer matches these filters")).toBeVisible();
  await page.goto("/test/transfers");
  // The page came with UTC; its scripts know the zone.
  const from = page.getByLabel(`From, ${zone}`);
  await expect(from).toBeAttached();
  await page.locator("summary").click();
  await from.fill(day);
  await page.getByLabel(`To, ${zone}`).fill(day);
  await page.getByRole("button", { name: "Apply filters" }).click();
  await expect(page.getByRole("link", { name: `From ${day} in ${zone}` })).toBeVisible();
  await expect(page.locator("summary")).toBeFocused();
  await expect(rows(page).filter({ hasText: books.recipient.handle })).toHaveCount(1);

  await page.locator("summary").click();
  await page.getByLabel("Name for these filters").fill("That day");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("region", { name: "Saved filters" })).toBeFocused();
  await page.goto("/test/transfers");
  await expect(from).toBeAttached();
  await page.locator("summary").click();
  await page.getByRole("link", { name: "That day", exact: true }).click();
  await expect(page).toHaveURL(`/test/transfers?from=${day}&to=${day}&zone=${encodeURIComponent(zone)}`);
  await context.close();
});

test("locked, neither page nor traffic holds an amount or memo, also of a payment that appears; unlocked, both are shown, and gone again when locked", async ({
  page,
  books,
  playwright,
}) => {
  await signedIn(page, books.payer.walletKey, playwright);
  const heard: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.headers()["content-type"]?.includes("event-stream")) return;
    heard.push(response.text().catch(() => ""));
  });
  const silent = async () => {
    const all = [...(await Promise.all(heard)), await page.content()].join("\n");
    for (const canary of [AMOUNT, "12340987", "canary memo"]) expect(all.includes(canary), canary).toBe(false);
  };
  await page.goto("/test/transfers");
  const row = rows(page).filter({ hasText: books.recipient.handle }).last();
  await expect(row).toContainText("encrypted amount");
  await shot(page, "transfers-locked");
  // A payment appears and becomes confirmed without a reload.
  await page.evaluate(() => Object.assign(window, { loadedOnce: true }));
  const before = await rows(page).count();
  await books.payer.client.transfers.create({ to: books.recipient.handle, amount: "1", clientSigned: true });
  await expect(rows(page)).toHaveCount(before + 1);
  await expect(rows(page).first()).toContainText("Confirmed");
  expect(await page.evaluate(() => "loadedOnce" in window)).toBe(true);
  await silent();

  await unlock(page);
  await expect(row).toContainText(`−${AMOUNT} USDG`);
  await expect(row).toContainText(MEMO);
  await expect(rows(page).filter({ hasText: "Public payment" })).toContainText("−5.00 USDG");
  await expectAccessible(page);
  await shot(page, "transfers");

  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { name: `Payment to ${books.recipient.handle}` })).toBeVisible();
  await expect(page.getByText(`−${AMOUNT}`)).toBeVisible();
  await expect(page.getByText(MEMO)).toBeVisible();
  await expect(page.getByRole("link", { name: /^Fixture/ })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "transfer");
  // Decrypting sends nothing: the recorded traffic, including the worker's, contains no trace of it.
  await page.getByRole("button", { name: /^Unlocked/ }).click();
  await expect(page.getByText(`−${AMOUNT}`)).toBeHidden();
  await silent();
});

test("the export holds exactly the filtered transfers, decrypted, and no formula; a receipt proves one to a browser that is signed in nowhere, a changed one nothing", async ({
  page,
  browser,
  books,
  playwright,
}) => {
  await signedIn(page, books.payer.walletKey, playwright);
  await page.goto(
    `/test/transfers?counterparty=${encodeURIComponent(books.recipient.handle)}&status=confirmed&asset=USDG`,
  );
  await unlock(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const file = await download;
  await expectAnnounced(page, "Export saved");
  expect(file.suggestedFilename()).toMatch(/^transfers-\d{4}-\d{2}-\d{2}\.csv$/);
  const csv = await readFile(await file.path(), "utf8");
  // Spreadsheets read a file without the mark in another encoding.
  expect(csv).toMatch(/^\ufeff/);
  const [head = "", ...records] = csv.slice(1).split("\r\n").slice(0, -1);
  const line = records.find((record) => record.startsWith(books.paid)) ?? "";
  const columns = head.split(",");
  const before = line.split(",").slice(0, columns.indexOf("memo"));
  const named = Object.fromEntries(before.map((value, at) => [columns[at], value]));
  expect(named).toMatchObject({
    status: "confirmed",
    direction: "sent",
    kind: "transfer",
    from_handle: books.payer.handle.slice(1),
    to_handle: books.recipient.handle.slice(1),
    to_address: books.recipient.address.toLowerCase(),
    asset: "USDG",
    amount: AMOUNT,
  });
  expect(line).toContain(`,"'=cmd(""canary memo, ümlaut"")",true,0x`);
  expect(csv).not.toContain("dEaD");

  await rows(page).filter({ hasText: MEMO }).getByRole("link").click();
  await page.getByRole("button", { name: "Create receipt" }).click();
  const dialog = page.getByRole("dialog", { name: "A receipt for this payment" });
  const link = await dialog.getByLabel("Receipt link").inputValue();
  await expectAccessible(page);
  await shotOfState(page, "receipt-dialog");

  const context = await browser.newContext();
  const stranger = await context.newPage();
  const asked: string[] = [];
  stranger.on("request", (request) => asked.push(`${request.url()} ${request.postData() ?? ""}`));
  await stranger.goto(link);
  const proven = stranger.getByRole("region", { name: "Verified receipt" });
  await expect(proven).toContainText(`${AMOUNT} USDG`);
  await expect(proven).toContainText(books.payer.address.toLowerCase());
  await expect(proven).toContainText(books.recipient.address.toLowerCase());
  await expect(proven.getByText("Final", { exact: true })).toBeVisible();
  await expectAccessible(stranger);
  await shot(stranger, "receipt");
  // The receipt stays in the browser: no request to the service or the chain contains it, its amount or its salt.
  const text = link.split("#")[1] ?? "";
  const own = asked.map((each) => each.replace(/#.*$/, ""));
  for (const each of own) expect(each.includes(text.slice(-40)) || each.includes(AMOUNT)).toBe(false);

  // lib/ledger/receipt.test.ts changes each of its characters.
  const changed = text[120] === "A" ? "B" : "A";
  await stranger.getByLabel("Check another receipt").fill(text.slice(0, 120) + changed + text.slice(121));
  await stranger.getByRole("button", { name: "Check receipt" }).click();
  await expect(stranger.getByText("This receipt proves nothing.")).toBeVisible();
  await expect(proven).toBeHidden();
  await shotOfState(stranger, "receipt-refused");
  await context.close();

  // The recipient can create the same receipt, and the command line's library accepts it too.
  const created = await books.recipient.client.receipts.create(books.paid);
  expect(created.receipt).toBe(text);
  expect(await books.payer.client.receipts.verify(link)).toMatchObject({ amount: AMOUNT, asset: "USDG", final: true });
});
