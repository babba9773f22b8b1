import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { shotOfState } from "./checks";
import { chooseWallet, expect, signedIn, test, unlock } from "./fixtures";
import { expectNothingDecrypted, locked, opened, openedDialog, signatures, unlocked } from "./unlock-fixtures";
import { injectSilentWallet, injectWallet, WALLET_NAME } from "./wallet";

test.use({ vault: "shared" });
// One saver for all tests.
test.describe.configure({ mode: "default" });

test("another wallet than the one signed in, a refusal, and a switched account open nothing and say so", async ({
  page,
  saver,
  playwright,
}) => {
  const wallet = await signedIn(page, saver.walletKey, playwright);
  const stranger = generatePrivateKey();
  wallet.use(stranger);
  const { dialog, button } = await openedDialog(page);
  await chooseWallet(dialog, dialog.getByRole("alert"));
  await expect(dialog.getByRole("alert")).toContainText(privateKeyToAddress(stranger));
  await expect(dialog.getByRole("alert")).toContainText(saver.address.toLowerCase());
  await expect(button).toBeDisabled();
  expect(signatures(wallet.requests)).toBe(0);

  wallet.use(saver.walletKey);
  wallet.declining = true;
  await button.click();
  await expect(dialog.getByRole("alert")).toContainText("You declined in your wallet");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expectNothingDecrypted(page);

  wallet.declining = false;
  await unlock(page);
  await expect(opened(page)).toBeVisible();
});

test("while a wallet has not allowed the page, it can be given up for another; until then nothing can be unlocked", async ({
  page,
  saver,
  playwright,
}) => {
  const wallet = await signedIn(page, saver.walletKey, playwright);
  await injectSilentWallet(page, "Silent Wallet");
  const respond = wallet.pause();
  const { dialog, button } = await openedDialog(page);
  await dialog.getByRole("button", { name: WALLET_NAME }).click();
  await expect(dialog.getByText(`Open ${WALLET_NAME} and allow this page`)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expect(button).toBeDisabled();
  await shotOfState(page, "unlock-wallet-not-allowed");
  respond();
  await expect(button).toBeEnabled();
  // The other one never responds.
  await dialog.getByRole("button", { name: "Use another" }).click();
  await dialog.getByRole("button", { name: "Silent Wallet" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: WALLET_NAME }).click();
  await button.click();
  await expect(opened(page)).toBeVisible();
});

test("a wallet that is asked to switch its network, and given up meanwhile, is not asked to sign afterwards", async ({
  page,
  saver,
  playwright,
}) => {
  const wallet = await signedIn(page, saver.walletKey, playwright, { chainId: 1 });
  await page.goto("/test/balances");
  await unlock(page);
  expect(signatures(wallet.requests)).toBe(1);
  await page.getByRole("link", { name: "Make available USDG" }).click();
  const makingAvailable = page.getByRole("dialog", { name: "Make money available" });
  await makingAvailable.getByLabel("New available balance").fill("70");
  const makeAvailable = async () => {
    await makingAvailable.getByRole("button", { name: "Set available balance" }).click();
    await dialog.getByRole("button", { name: "Sign", exact: true }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Change the available balance" });
  const respond = wallet.pause();
  await makeAvailable();
  const asksForChain = () => wallet.requests.some(({ method }) => method === "wallet_switchEthereumChain");
  await expect.poll(asksForChain).toBe(true);
  await dialog.getByRole("button", { name: "Do not sign" }).click();
  await expect(dialog).toBeHidden();
  respond();
  // The next one is asked for, on the network that the wallet has switched to by now.
  wallet.declining = true;
  await makeAvailable();
  await expect(dialog.getByText("You declined in your wallet")).toBeVisible();
  expect(signatures(wallet.requests)).toBe(2);
});

test("in a tab that another one unlocked, another account's wallet can't be asked; a recovery code that was typed and not used is gone once that one locks", async ({
  page,
  context,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright);
  const { dialog } = await openedDialog(page);
  await dialog.getByRole("button", { name: "A recovery code" }).click();
  await dialog.getByLabel("Recovery code").fill("ABCD-EFGH");

  const second = await context.newPage();
  await injectWallet(second, saver.walletKey);
  await second.goto("/test/balances");
  await unlock(second);
  await expect(dialog).toBeHidden();

  // In a tab that another one unlocked, another account's wallet can't be asked.
  const third = await context.newPage();
  const wallet = await injectWallet(third, saver.walletKey);
  // The tabs share where the last used wallet is noted.
  await third.addInitScript(() => localStorage.removeItem("halcyon.wallet.recentConnectorId"));
  await third.goto("/test/balances");
  await expect(opened(third)).toBeVisible();
  await third.getByRole("link", { name: "Make available USDG" }).click();
  const makingAvailable = third.getByRole("dialog", { name: "Make money available" });
  await makingAvailable.getByLabel("New available balance").fill("70");
  await makingAvailable.getByRole("button", { name: "Set available balance" }).click();

  const signing = third.getByRole("dialog", { name: "Change the available balance" });
  const button = signing.getByRole("button", { name: "Sign", exact: true });
  await signing.getByRole("button", { name: /Test wallet in this browser/ }).click();
  await expect(signing.getByRole("alert")).toContainText(saver.address.toLowerCase());
  await expect(button).toBeDisabled();
  await shotOfState(third, "sign-wrong-wallet");
  await signing.getByRole("button", { name: "Use another" }).click();
  await signing.getByRole("button", { name: WALLET_NAME }).click();
  await expect(button).toBeEnabled();
  expect(signatures(wallet.requests)).toBe(0);
  await signing.getByRole("button", { name: "Do not sign" }).click();
  await expect(signing).toBeHidden();
  await third.close();

  await unlocked(second).click();
  await expectNothingDecrypted(page);
  await locked(page).click();
  await expect(dialog.getByRole("button", { name: "A recovery code" })).toBeVisible();
  expect(await page.locator("input").evaluateAll((all) => all.map((each) => Reflect.get(each, "value")))).not.toContain(
    "ABCD-EFGH",
  );
});
