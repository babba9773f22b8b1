import type { Page } from "@playwright/test";
import { createPublicClient, erc20Abi, http } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expectAnnounced } from "../announcements";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, sign, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";

/** Returns the row with this name in an asset's card. */
function row(page: Page, asset: string, name: string) {
  const named = page.locator("dt").filter({ hasText: new RegExp(`^${name}`) });
  return page
    .getByRole("region", { name: `Total ${asset}` })
    .locator("dl > div")
    .filter({ has: named });
}

async function open(page: Page): Promise<void> {
  await page.goto("/test/balances");
  await unlock(page);
  await expect(page.getByText("Decrypted in this browser.")).toBeVisible();
}

test("locked, amounts are encrypted and what is public is not; unlocked, every figure is decrypted and adds up, and the service confirms exactly that", async ({
  page,
  playwright,
  configDir,
  owner: payer,
}) => {
  const owner = await newOwner("sums", configDir, { available: "70.5", deposited: "20" });
  await payer.client.transfers.create({ to: owner.handle, amount: "1.25", clientSigned: true });
  await payer.client.transfers.create({ to: owner.handle, amount: "0.000001", clientSigned: true });
  await owner.client.agents.create({ name: "bot" });
  await owner.client.transfers.create({ to: `${owner.handle}/bot`, amount: "10", clientSigned: true });

  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/balances");
  const usdg = page.getByRole("region", { name: "Total USDG" });
  await expect(row(page, "USDG", "Available")).toContainText("encrypted amount");
  await expect(row(page, "USDG", "Received and returned")).toContainText("Not yet available");
  await expect(row(page, "USDG", "Deposited")).toContainText("20.00 USDG");
  await expect(usdg).not.toContainText(/60\.5|70\.5|1\.25/);
  await shot(page, "balances-locked");

  await unlock(page);
  await expect(usdg).toContainText("91.750001 USDG");
  await expect(row(page, "USDG", "Available")).toContainText("60.50 USDG");
  await expect(row(page, "USDG", "Received and returned")).toContainText("1.250001 USDG");
  await expect(row(page, "USDG", `${owner.handle}/bot`)).toContainText("10.00 USDG");
  await expectAccessible(page);
  await shot(page, "balances-open");

  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/v1/accounts/me/balances")) bodies.push(request.postData() ?? "");
  });
  await expect(page.getByText("Decrypting shows the service none of these amounts.")).toBeVisible();
  // While nothing has been sent, the page does not say that the service has seen them.
  await page.context().route("**/circuits/**", (route) => route.abort());
  await page.getByRole("button", { name: "Verify balances" }).click();
  await expect(page.getByText("The service did not confirm your balances.")).toBeVisible();
  await expect(page.getByText("Decrypting shows the service none of these amounts.")).toBeVisible();
  await page.context().unroute("**/circuits/**");
  await page.getByRole("button", { name: "Verify balances" }).click();
  await expect(page.getByText("USDG matches")).toBeVisible();
  // From now on the service has seen them, and the page no longer says otherwise.
  await expect(page.getByText("You showed the service your totals on")).toBeVisible();
  await page.getByText("What left this browser").click();
  // The same one may have been sent again.
  expect(new Set(bodies).size).toBe(1);
  await expect(page.getByText(`${bodies[0]?.length.toLocaleString("en-US")} bytes`)).toBeVisible();
  await expectAccessible(page);
  await page.evaluate(() => scrollTo(0, 0));
  await shotOfState(page, "balances-verified");

  await page.getByRole("button", { name: /^Unlocked/ }).click();
  await expect(row(page, "USDG", "Available")).toContainText("encrypted amount");
  await expect(usdg).not.toContainText(/60\.5|91\.75/);
});

test("a payment is sent with the keyboard alone, without asking the wallet, and reaches the recipient, whose address is remembered until it is forgotten", async ({
  ownerPage: page,
  wallet,
  other,
}) => {
  await open(page);
  const signed = wallet.requests.length;
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  await page.keyboard.type("send a pay");
  await expect(page.getByRole("option").first()).toContainText("Send");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Send" });
  await expect(dialog.getByLabel("To", { exact: true })).toBeFocused();
  await page.keyboard.type(other.handle);
  await expect(dialog.getByText("First payment: this address is remembered")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.type("2.5");
  for (let steps = 0; steps < 6; steps++) {
    if (await dialog.getByLabel("Memo").evaluate((memo) => memo === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.type("Lunch on Friday");
  await shot(page, "balances-send");
  await dialog.getByLabel("Amount", { exact: true }).focus();
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /\/(api|v1)\/transfers/.test(request.url())) posts.push(request.url());
  });
  await page.keyboard.press("Enter");
  const review = page.getByRole("dialog", { name: "Review payment" });
  await expect(review).toContainText("2.50 USDG");
  await expect(review).toContainText(other.handle);
  await expect(review).toContainText(new RegExp(other.address, "i"));
  await expect(review).toContainText("Lunch on Friday");
  await expect(review).toContainText("New in this browser");
  await expect(review).toContainText("left after this");
  // A second, accidental Enter: nothing that pays has the focus.
  await page.keyboard.press("Enter");
  await expect(review.getByRole("button", { name: "Pay 2.50 USDG" })).toBeEnabled();
  await expectAccessible(page);
  await shot(page, "balances-send-review");
  expect(posts).toEqual([]);
  for (let steps = 0; steps < 6; steps++) {
    await page.keyboard.press("Tab");
    if (await review.getByRole("button", { name: "Pay" }).evaluate((pay) => pay === document.activeElement)) break;
  }
  await page.keyboard.press("Enter");
  const paid = page.getByRole("dialog", { name: "Send" });
  await expect(paid.getByText("Final on chain.")).toBeVisible();
  // First checks everything except the amount, then posts once.
  expect(posts.map((url) => new URL(url).pathname)).toEqual(["/api/transfers/check", "/v1/transfers"]);
  expect(wallet.requests).toHaveLength(signed);
  const link = await paid.getByRole("link", { name: "View transfer" }).getAttribute("href");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/test$/);

  const { transfers } = await other.client.transfers.listDecrypted({ limit: 1 });
  expect(transfers).toMatchObject([{ amount: "2.5", memo: "Lunch on Friday", status: "confirmed" }]);
  expect(link).toBe(`/test/transfers/${transfers[0]?.transfer_id}`);

  // The handle's address is remembered from this payment on, listed, and forgotten only when that is confirmed.
  await page.goto("/test/settings/security");
  const remembered = page
    .getByRole("table", { name: "Remembered handles" })
    .getByRole("row")
    .filter({ hasText: other.handle });
  await expect(remembered).toContainText(other.address.toLowerCase());
  await remembered.getByRole("button", { name: `Forget ${other.handle}` }).click();
  const confirm = page.getByRole("dialog", { name: `Forget ${other.handle}?` });
  await expect(confirm.getByRole("button", { name: "Keep handle" })).toBeFocused();
  await expectAccessible(page);
  await shotOfState(page, "forget-handle");
  await confirm.getByRole("button", { name: "Keep handle" }).click();
  await expect(remembered).toBeVisible();
  await remembered.getByRole("button", { name: `Forget ${other.handle}` }).click();
  await confirm.getByRole("button", { name: "Forget handle" }).click();
  await expectAnnounced(page, `${other.handle} is forgotten`);
  await expect(remembered).toHaveCount(0);
});

test("the available balance is made larger, smaller and empty; withdrawn money reaches the address; funds are added", async ({
  page,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("moves", configDir, { available: "20", deposited: "30" });
  await signedIn(page, owner.walletKey, playwright);
  await open(page);
  const available = row(page, "USDG", "Available");
  const makeAvailable = async (amount: string, says: string) => {
    await page.getByRole("link", { name: "Make available USDG" }).click();
    const dialog = page.getByRole("dialog", { name: "Make money available" });
    await dialog.getByLabel("New available balance").fill(amount);
    await expect(dialog.getByText(says)).toBeVisible();
    if (amount === "45") {
      await expectAccessible(page);
      await shotOfState(page, "balances-make-available");
    }
    await dialog.getByRole("button", { name: "Set available balance" }).click();
    await sign(page, "Change the available balance");
    await expect(dialog).toBeHidden();
  };
  await makeAvailable("45", "Makes 25.00 USDG available");
  await expect(available).toContainText("45.00 USDG");
  await expect(row(page, "USDG", "Received and returned")).toContainText("5.00 USDG");
  await makeAvailable("12.5", "Moves 32.50 USDG out of available");
  await expect(available).toContainText("12.50 USDG");
  await expect(row(page, "USDG", "Received and returned")).toContainText("37.50 USDG");

  const to = privateKeyToAddress(generatePrivateKey());
  await page.getByRole("link", { name: "Withdraw" }).click();
  const withdraw = page.getByRole("dialog", { name: "Withdraw" });
  await expect(withdraw.getByText("A withdrawal is public.")).toBeVisible();
  await withdraw.getByLabel("To address").fill(to);
  await withdraw.getByRole("button", { name: "Use all" }).click();
  await expectAccessible(page);
  await shotOfState(page, "balances-withdraw");
  await withdraw.getByRole("button", { name: "Review", exact: true }).click();
  const review = page.getByRole("dialog", { name: "Review withdrawal" });
  await expect(review).toContainText(to);
  await expect(review).toContainText("New in this browser");
  await expect(review).toContainText("Public: anyone can see");
  await expectAccessible(page);
  await shotOfState(page, "balances-withdraw-review");
  await review.getByRole("button", { name: "Pay 12.50 USDG" }).click();
  await expect(withdraw.getByText("Final on chain.")).toBeVisible();
  await withdraw.getByRole("button", { name: "Done" }).click();
  expect(await tokensOf(page, to)).toBe(12_500_000n);
  await expect(available).toContainText(/(?<![0-9.])0\.00 USDG/);

  await page.getByRole("link", { name: "Add funds" }).click();
  const funds = page.getByRole("dialog", { name: "Add funds" });
  await funds.getByLabel("Amount", { exact: true }).fill("7");
  await expectAccessible(page);
  await shotOfState(page, "balances-add-funds");
  await funds.getByRole("button", { name: "Get test money" }).click();
  await sign(page, "Deposit");
  await expect(page.getByText("7.00 USDG deposited")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await expect(row(page, "USDG", "Deposited")).toContainText("7.00 USDG");
});

async function tokensOf(page: Page, address: `0x${string}`): Promise<bigint> {
  const response = await page.request.get("/api/network?network=test");
  const { rpc_url, assets } = (await response.json()) as {
    rpc_url: string;
    assets: { symbol: string; address: `0x${string}` }[];
  };
  const token = assets.find(({ symbol }) => symbol === "USDG")?.address ?? "0x";
  const client = createPublicClient({ transport: http(rpc_url) });
  return client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [address] });
}
