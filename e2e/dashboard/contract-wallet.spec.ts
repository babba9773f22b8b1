import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { deployWalletOn } from "@/test/accounts/deploy-wallet";
import { field, pay } from "./agents-fixtures";
import { expect, sign, test } from "./fixtures";
import { uniqueHandle } from "./owner";
import { CHAINS, injectWallet, WALLET_NAME } from "./wallet";

// Like a Safe with one signer: its signatures are that key's 65 bytes, which recover to another address.
test("a contract wallet signs up, signs in, makes money available and sets a policy", async ({ page, other }) => {
  const key = generatePrivateKey();
  const contract = await deployWalletOn(CHAINS[46630] ?? "", "KeyWallet", [privateKeyToAddress(key)]);
  const wallet = await injectWallet(page, key, { contract });
  const signIn = async () => {
    await page.goto("/sign-in");
    await page.getByRole("button", { name: WALLET_NAME }).click();
  };
  await signIn();
  await page.waitForURL(/\/test\/welcome$/);
  const handle = uniqueHandle("contract");
  await page.getByLabel("Handle").fill(handle);
  await page.getByRole("button", { name: "Create account" }).click();

  await page.getByRole("button", { name: "Enroll without one" }).click();
  await expect(page.getByText(/only a recovery code decrypts its account/)).toBeVisible();
  const code = ((await page.locator("code").textContent()) ?? "").trim();
  await page.getByRole("button", { name: "I have stored it" }).click();
  const label = (await page.locator("label", { hasText: "Type group" }).textContent()) ?? "";
  const group = Number(/group (\d)/.exec(label)?.[1]);
  await page.getByLabel(/Type group \d of 7/).fill(code.split("-")[group - 1] ?? "");
  await page.getByRole("button", { name: "Enroll", exact: true }).click();
  await sign(page, "Enroll your account");
  await page.getByRole("button", { name: "Verify identity" }).click();
  await expect(page.getByRole("button", { name: "Get test money" })).toBeVisible();
  expect(wallet.requests.filter(({ method }) => method === "eth_signTypedData_v4")).toHaveLength(1);

  await other.client.testHelpers.faucet({ amount: "30" });
  await other.client.balances.makeAvailable();
  await other.client.transfers.create({ to: `@${handle}`, amount: "20", clientSigned: true });
  // The page itself leaves for the sign-in once it has no session.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await signIn();
  await page.waitForURL(/\/test/);
  const unlockByCode = async () => {
    const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
    await expect(async () => {
      if (!(await dialog.isVisible()))
        await page.getByRole("button", { name: /^(Locked|Amounts shown)/ }).click({ timeout: 2_000 });
      await expect(dialog).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await dialog.getByRole("button", { name: "A recovery code" }).click();
    await dialog.getByLabel("Recovery code").fill(code);
    await dialog.getByRole("button", { name: "Unlock", exact: true }).click();
    await expect(dialog).toBeHidden();
  };
  await page.goto("/test/balances");
  await unlockByCode();
  await page.getByRole("link", { name: "Make available USDG" }).click();
  const making = page.getByRole("dialog", { name: "Make money available" });
  await making.getByLabel("New available balance").fill("20");
  await making.getByRole("button", { name: "Set available balance" }).click();
  await sign(page, "Change the available balance");
  await expect(making).toBeHidden();

  await page.goto("/test/agents/new");
  await unlockByCode();
  await field(page, "Name").fill("buyer");
  await field(page, "Per day").fill("5");
  await field(page, "Per payment").fill("1");
  await field(page, "Ask me above").fill("5");
  await field(page, "Recipients").fill("@demo");
  await field(page, "Recipients").press("Enter");
  await page.getByRole("textbox", { name: /^Fund it with/ }).fill("10");
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByText(`@${handle}/buyer is ready`)).toBeVisible({ timeout: 60_000 });
  const agentKey = (await page.locator("code", { hasText: /^hc_test_/ }).textContent()) ?? "";
  expect(await pay(agentKey, "2")).toMatchObject({ status: 403, said: "per_transaction_limit" });
  await page.getByRole("checkbox", { name: /I have stored the key/ }).click();
  await page.getByRole("link", { name: "Open the agent" }).click();
  await page.getByRole("link", { name: "Edit policy" }).click();
  await field(page, "Per payment").fill("3");
  await page.getByRole("button", { name: "Review changes" }).click();
  const review = page.getByRole("dialog", { name: "Save this policy?" });
  await review.getByRole("button", { name: "Save policy" }).click();
  await sign(page, "Set the agent's policy");
  await expect(review).toBeHidden();
  expect(await pay(agentKey, "2")).toMatchObject({ status: 201 });
});
