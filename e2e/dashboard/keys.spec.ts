import { Halcyon } from "@/sdk/client";
import { expectAccessible, shot } from "./checks";
import { choose, expect, test, unlock } from "./fixtures";
import { productURL } from "./owner";
import { payWithKey } from "./pay-with-key";

const PAGE = "/test/developers/keys";

test("a key created in the browser is shown once, pays, is counted, and is refused from its revocation on", async ({
  ownerPage: page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.goto(PAGE);
  await unlock(page);
  await page.getByRole("link", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Label").fill("Checkout server");
  // The most powerful key has to be chosen; it is not preselected.
  await dialog.getByLabel("Pays from").selectOption("own");
  await expect(dialog.getByLabel("Access")).toHaveValue("payments");
  await dialog.getByLabel("Used by").selectOption("Any HTTP client, such as curl");
  await dialog.getByLabel("Allowed IP addresses").fill("127.0.0.0/8, ::1");
  await dialog.getByLabel("Expires").selectOption("30d");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create key" }).click();
  // An error in the dialog fails here.
  await expect(dialog.locator("code")).toBeVisible();
  const text = (await dialog.locator("code").textContent()) ?? "";
  expect(text).toMatch(/^hc_test_[0-9A-Za-z]{46,}$/);
  // It does not close by accident before the key is copied.
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy key" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await page.content()).not.toContain(text);
  expect(sent.filter((request) => request.includes(text))).toEqual([]);

  expect((await payWithKey(text, { amount: "3.25" })).status).toBe(201);
  const row = page.getByRole("row", { name: /Checkout server/ });
  await expect(row).toContainText("read, pay, from listed addresses");
  await shot(page, "keys");
  await choose(row.getByRole("button", { name: "Actions for Checkout server" }), "Requests per day");
  await expect(page.getByRole("dialog").getByText(/requests in 30 days/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await choose(row.getByRole("button", { name: "Actions for Checkout server" }), "Revoke key");
  const confirm = page.getByRole("dialog", { name: "Revoke Checkout server?" });
  await expect(confirm.getByRole("button", { name: "Keep key" })).toBeFocused();
  await confirm.getByRole("button", { name: "Revoke key" }).click();
  await expect(confirm).toBeHidden();
  expect((await payWithKey(text, { amount: "1" })).status).toBe(401);
  await expect(row).toBeHidden();
  await page.getByText(/^Revoked keys/).click();
  await expect(page.getByRole("row", { name: /Checkout server/ })).toBeVisible();
});

test("a blind key created in the browser pays with its home key, which no request has, and not without it", async ({
  ownerPage: page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.goto(PAGE);
  await unlock(page);
  await page.getByRole("link", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Label").fill("Blind server");
  await dialog.getByLabel("Pays from").selectOption("own");
  await expect(dialog.getByLabel("Used by")).toHaveValue("ours");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.locator("code")).toHaveCount(2);
  const [apiKey = "", homeKey = ""] = await dialog.locator("code").allTextContents();
  await expectAccessible(page);
  await shot(page, "keys-blind-created");
  await dialog.getByRole("checkbox", { name: /stored the key/ }).check();
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  await dialog.getByRole("checkbox", { name: /stored the home key/ }).check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: /Blind server/ })).toContainText("Blind");
  for (const text of [apiKey, homeKey]) expect(sent.filter((request) => request.includes(text))).toEqual([]);

  const paid = await new Halcyon({ url: productURL, apiKey, homeKey }).transfers.create({
    to: "@demo",
    amount: "1.25",
  });
  expect(paid).toMatchObject({ status: "confirmed", to: "@demo" });
  expect((await payWithKey(apiKey, { amount: "1" })).status).toBe(403);
});
