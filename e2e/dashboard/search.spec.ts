import { expectAccessible, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";

const NAME = "Search and commands";

test("search finds ids and references at the service, memos and amounts in the browser, and sends nothing else that is typed", async ({
  page,
  owner,
  playwright,
}) => {
  const memo = "Canary of a memo";
  const { client } = owner;
  const sent = await client.transfers.create({
    to: "@demo",
    amount: "7.654321",
    memo,
    reference: "CANARY-77",
    clientSigned: true,
  });
  if (!("transfer_id" in sent) || !sent.transfer_id) throw new Error("an own payment is not held");
  const { transfer_id: id } = sent;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.url()} ${request.postData() ?? ""}`));
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test");
  await unlock(page);
  // Without a keyboard: the button in the top bar.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: NAME }).click();
  const input = page.getByRole("combobox", { name: NAME });
  const option = (name: string | RegExp) => page.getByRole("option", { name });
  await input.fill("canary memo");
  await expect(option("−7.654321 USDG to @demo")).toContainText(memo);
  await expectAccessible(page);
  await shotOfState(page, "search");
  await input.fill("$7.654321");
  await expect(option("−7.654321 USDG to @demo")).toBeVisible();
  await input.fill("CANARY-77");
  await expect(option("Look up the reference CANARY-77")).toBeVisible();
  expect(asked.filter((request) => /canary|7\.654321|7654321/i.test(request))).toEqual([]);

  await option("Look up the reference CANARY-77").click();
  await expect(option(/^Transfer with @demo/)).toBeVisible();
  await input.fill(id);
  await option(/^Transfer with @demo/).click();
  await expect(page).toHaveURL(new RegExp(`/test/transfers/${id}$`));

  // The list can be searched the same way, and shows the total.
  await page.getByRole("link", { name: "Transfers" }).first().click();
  await page.getByRole("searchbox", { name: /^Search memos/ }).fill("canary");
  await expect(page.getByRole("status").filter({ hasText: /^1 found .* sent 7\.654321 USDG$/ })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: memo })).toHaveCount(1);
  await expectAccessible(page);

  // A typed payment fills the form in, and its amount is in no address.
  await page.getByRole("button", { name: NAME }).click();
  await input.fill("pay @demo 7.654321");
  await option("Pay @demo 7.654321 USDG").click();
  const form = page.getByRole("dialog", { name: "Send" });
  await expect(form.getByLabel("To", { exact: true })).toHaveValue("@demo");
  await expect(form.getByLabel("Amount", { exact: true })).toHaveValue("7.654321");
  expect(asked.filter((request) => /7\.654321|7654321|canary of|=canary$/i.test(request))).toEqual([]);
});

test("the keyboard alone: a list of shortcuts, a page by two keys or a few letters, and none of it while someone types", async ({
  page,
  owner,
  playwright,
}) => {
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/balances");
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(async () => {
    // The second key of a pair does nothing without the first, not even right after the page was loaded.
    await page.keyboard.press("t");
    await page.keyboard.press("?");
    await expect(shortcuts).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(page).toHaveURL(/\/test\/balances$/);
  await expectAccessible(page);
  await shotOfState(page, "shortcuts");
  await page.keyboard.press("Escape");
  await expect(shortcuts).toBeHidden();
  await expect(async () => {
    // The second key of a pair counts only soon after the first.
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await expect(page).toHaveURL(/\/test\/transfers$/, { timeout: 10_000 });
  }).toPass();
  await page.keyboard.press("/");
  const input = page.getByRole("combobox", { name: NAME });
  await expect(input).toBeFocused();
  await page.keyboard.type("g?b");
  await expect(input).toHaveValue("g?b");
  await expect(page).toHaveURL(/\/test\/transfers$/);
  await page.keyboard.press("Escape");
  await expect(input).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await page.keyboard.type("webh");
  await expect(page.getByRole("option").first()).toHaveText("Webhooks");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/test\/developers\/webhooks$/);
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
});
