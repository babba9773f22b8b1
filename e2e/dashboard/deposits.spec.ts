import type { Page } from "@playwright/test";
import { type Address, createPublicClient, erc20Abi, http } from "viem";
import { expectAccessible, shotOfState } from "./checks";
import { expect, sign, signedIn, test, unlock } from "./fixtures";
import { newOwner, productURL } from "./owner";

// One holder for all tests.
test.describe.configure({ mode: "default" });

/** Fills the wallet from the faucet, without a deposit. */
async function fill(page: Page, asset: string, amount: string): Promise<void> {
  const headers = { origin: productURL };
  const response = await page.request.post("/api/faucet?network=test", { data: { asset, amount }, headers });
  expect(response.status()).toBe(202);
}

async function inWallet(page: Page, address: Address): Promise<{ usdg: bigint; wei: bigint }> {
  const response = await page.request.get("/api/network?network=test");
  const { rpc_url, assets } = (await response.json()) as {
    rpc_url: string;
    assets: { symbol: string; address: Address }[];
  };
  const client = createPublicClient({ transport: http(rpc_url), cacheTime: 0 });
  const token = assets.find(({ symbol }) => symbol === "USDG")?.address ?? "0x";
  const [usdg, wei] = await Promise.all([
    client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [address] }),
    client.getBalance({ address }),
  ]);
  return { usdg, wei };
}

const deposited = (page: Page, asset: string) =>
  page
    .getByRole("region", { name: `Total ${asset}` })
    .locator("dl > div")
    .filter({ has: page.locator("dt").filter({ hasText: /^Deposited/ }) })
    .locator("dd")
    .first();

test("what the wallet holds is deposited: USDG by a signature, ETH by a transaction, and never more than it holds", async ({
  page,
  configDir,
  playwright,
}) => {
  const saver = await newOwner("depositor", configDir);
  const address = saver.address as Address;
  const wallet = await signedIn(page, saver.walletKey, playwright);
  await fill(page, "USDG", "40");
  await fill(page, "ETH", "1");
  await expect.poll(() => inWallet(page, address)).toEqual({ usdg: 40_000_000n, wei: 10n ** 18n });

  await page.goto("/test/balances");
  await unlock(page);
  await page.getByRole("link", { name: "Get test money" }).click();
  const dialog = page.getByRole("dialog", { name: "Add funds" });
  await dialog.getByText("My wallet").click();
  const asked = () => wallet.requests.filter(({ method }) => /^eth_(signTyped|sendTr)/.test(method));
  const before = asked().length;
  await expect(dialog.getByText("In your wallet: 40.00 USDG")).toBeVisible();
  await dialog.getByLabel("Amount", { exact: true }).fill("40.000001");
  await dialog.getByRole("button", { name: "Deposit" }).click();
  await expect(dialog.getByText("Your wallet does not hold this much.")).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "deposit-refused");
  expect(asked()).toHaveLength(before);
  expect(await inWallet(page, address)).toEqual({ usdg: 40_000_000n, wei: 10n ** 18n });

  await dialog.getByLabel("Amount", { exact: true }).fill("12.5");
  await dialog.getByRole("button", { name: "Deposit" }).click();
  await sign(page, "Deposit");
  await expect(page.getByText("12.50 USDG deposited")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await expect(deposited(page, "USDG")).toHaveText("12.50 USDG");
  expect(await inWallet(page, address)).toEqual({ usdg: 27_500_000n, wei: 10n ** 18n });
  const [authorization] = asked().slice(before);
  expect(authorization?.method).toBe("eth_signTypedData_v4");
  expect(JSON.parse(String(authorization?.params[1]))).toMatchObject({
    primaryType: "ReceiveWithAuthorization",
    message: { from: saver.address.toLowerCase(), value: "12500000" },
  });

  await page.getByRole("link", { name: "Add funds" }).click();
  await dialog.getByText("My wallet").click();
  await dialog.getByLabel("Asset").selectOption("ETH");
  await expect(dialog.getByText("In your wallet: 1.00 ETH")).toBeVisible();
  await dialog.getByLabel("Amount", { exact: true }).fill("0.25");
  await shotOfState(page, "deposit-wallet");
  await dialog.getByRole("button", { name: "Deposit" }).click();
  await sign(page, "Deposit from your wallet");
  await expect(page.getByText("0.25 ETH deposited")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await expect(deposited(page, "ETH")).toHaveText("0.25 ETH");
  await expect(deposited(page, "USDG")).toHaveText("12.50 USDG");
  expect(asked().at(-1)?.method).toBe("eth_sendTransaction");
  const { wei } = await inWallet(page, address);
  // The wallet paid the gas.
  expect(wei).toBeLessThan(75n * 10n ** 16n);
  expect(wei).toBeGreaterThan(74n * 10n ** 16n);
});

test("an available balance set at once after a deposit is judged by what the deposit brought; while the service does not respond, what was decrypted stays and that is said", async ({
  page,
  holder,
  playwright,
}) => {
  await signedIn(page, holder.walletKey, playwright);
  await page.goto("/test/balances");
  await unlock(page);
  await expect(page.getByText("Decrypted in this browser.")).toBeVisible();
  await page.getByRole("link", { name: "Add funds" }).click();
  await page.getByRole("dialog").getByLabel("Amount", { exact: true }).fill("50");
  await page.getByRole("button", { name: "Get test money" }).click();
  await sign(page, "Deposit");
  // On a slow connection, older decrypted balances stay on screen for a while.
  let slow = true;
  await page.context().route("**/api/ledger*", async (route) => {
    if (slow) await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue().catch(() => {});
  });
  await page.getByRole("link", { name: "Make it available" }).click();
  const dialog = page.getByRole("dialog", { name: "Make money available" });
  await dialog.getByLabel("New available balance").fill("45");
  await dialog.getByRole("button", { name: "Set available balance" }).click();
  slow = false;
  await sign(page, "Change the available balance");
  await expect(dialog).toBeHidden();
  const available = page.getByRole("region", { name: "Total USDG" }).locator("dl > div").first();
  await expect(available).toContainText("45.00 USDG");
  await page.context().unroute("**/api/ledger*");

  // While the service does not respond, what was decrypted stays on screen, and that is said.
  const total = page.getByRole("region", { name: "Total USDG" }).locator("header");
  await expect(page.getByText("Decrypted in this browser.")).toBeVisible();
  const before = (await total.textContent()) ?? "";
  expect(before).toMatch(/[0-9.]+ USDG/);
  const reading = /\/api\/ledger(\/all)?(\?|$)/;
  await page.context().route(reading, (route) => route.abort());
  await page.getByRole("button", { name: "Decrypt again" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Your amounts could not be decrypted again." });
  await expect(alert).toContainText("The service does not respond. Check your connection and try again.");
  await expect(total).toHaveText(before);
  await expectAccessible(page);
  await shotOfState(page, "balances-failing");
  await page.context().unroute(reading);
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Decrypted in this browser.")).toBeVisible();
  await expect(total).toHaveText(before);
});
