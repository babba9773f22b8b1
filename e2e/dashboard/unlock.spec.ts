import { expectAccessible, shot, shotOfState } from "./checks";
import { holdScripts, pressEarly } from "./early";
import { chooseWallet, expect, signedIn, test, unlock, unlockInDialog } from "./fixtures";
import { newOwner, productURL } from "./owner";
import { recordingLine } from "./recording-line";
import {
  expectNothingDecrypted,
  keptIn,
  locked,
  opened,
  signatures,
  unlocked,
  unlockedBalances,
} from "./unlock-fixtures";
import { injectWallet, WALLET_NAME } from "./wallet";

test.use({ vault: "shared" });
// One saver for all tests.
test.describe.configure({ mode: "default" });

test("a wallet of the browser signs in with one signature, unlocks every tab with one more, and locking locks every tab", async ({
  page,
  context,
  saver,
}) => {
  const wallet = await injectWallet(page, saver.walletKey);
  const asked = "/test/transfers?status=confirmed";
  await page.goto(asked);
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(asked)}`);
  await expect(page.getByRole("button", { name: WALLET_NAME })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "sign-in");
  wallet.declining = true;
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You declined in your wallet" })).toBeVisible();
  wallet.declining = false;
  // A wallet that does not respond: its name says where to look, and Cancel ends the wait.
  const respond = wallet.pause();
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await expect(page.getByText(`Open ${WALLET_NAME} and sign`)).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: WALLET_NAME })).toBeEnabled();
  await expect(page.getByRole("alert").filter({ hasText: /wallet/i })).toHaveCount(0);
  respond();
  wallet.requests.length = 0;
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await page.waitForURL(`**${asked}`);
  expect(signatures(wallet.requests)).toBe(1);
  await page.goto("/test/balances");
  await expectNothingDecrypted(page);

  await locked(page).click();
  await expect(page.getByRole("dialog", { name: "Unlock amounts" })).toContainText("One signature");
  await expectAccessible(page);
  await shotOfState(page, "unlock");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await unlock(page);
  expect(signatures(wallet.requests)).toBe(2);
  await expect(opened(page)).toBeVisible();

  const second = await context.newPage();
  const itsWallet = await injectWallet(second, saver.walletKey);
  await second.goto("/test/balances");
  // One unlock counts for all tabs, so this one does not ask the wallet.
  await expect(opened(second)).toBeVisible();
  await expect(unlocked(second)).toBeVisible();
  expect(signatures(itsWallet.requests)).toBe(0);
  await unlocked(page).click();
  await expectNothingDecrypted(page);
  await expectNothingDecrypted(second);
});

test("an unlocked account locks itself after 15 minutes without input, also when the machine slept", async ({
  page,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright);
  await page.clock.install();
  await page.goto("/test/balances");
  await unlock(page);
  await expect(opened(page)).toBeVisible();
  // The time begins here, however long unlocking took.
  await page.keyboard.press("Shift");
  await page.clock.runFor("14:00");
  await page.keyboard.press("Shift");
  await page.clock.runFor("14:30");
  await expect(unlocked(page)).toBeVisible();
  // Time passes while timers stand still: the first input after waking must not count.
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.keyboard.press("Shift");
  await expectNothingDecrypted(page);
});

test("a browser that ends the vault's worker locks the page, which unlocks again without being loaded", async ({
  browser,
  page,
  saver,
  playwright,
}) => {
  await unlockedBalances(page, saver, playwright);
  const inspector = await browser.newBrowserCDPSession();
  const { targetInfos } = await inspector.send("Target.getTargets");
  const session = await page.context().newCDPSession(page);
  const own = (await session.send("Target.getTargetInfo")).targetInfo.browserContextId;
  const workers = targetInfos.filter(
    ({ type, url, browserContextId }) =>
      type === "shared_worker" && url.includes("/vault/") && browserContextId === own,
  );
  expect(workers).toHaveLength(1);
  await inspector.send("Target.closeTarget", { targetId: workers[0]?.targetId ?? "" });
  await expectNothingDecrypted(page);
  await unlock(page);
  await expect(opened(page)).toBeVisible();
});

test("after a reload amounts are shown without the wallet, as of their time, and paying is not; locking takes that away too", async ({
  page,
  configDir,
  playwright,
}) => {
  const payer = await newOwner("reader", configDir, { available: "73.19" });
  await payer.client.transfers.create({ to: "@demo", amount: "1.19", memo: "Read again", clientSigned: true });
  const wallet = await signedIn(page, payer.walletKey, playwright);
  await page.goto("/test/transfers");
  await unlock(page);
  const memo = page.getByText("Read again").first();
  await expect(memo).toBeVisible();
  await expect.poll(() => keptIn(page)).toContain("extractable: false");
  expect(await keptIn(page)).not.toContain("extractable: true");
  const asked = signatures(wallet.requests);
  await page.reload();
  await expect(memo).toBeVisible();
  const status = page.getByRole("button", { name: /^Amounts shown · paying locked/ });
  await expect(status).toBeVisible();
  await shotOfState(page, "payments-shown");
  expect(signatures(wallet.requests)).toBe(asked);

  // Balances have not been decrypted yet, so there are none to show.
  await page.goto("/test/balances");
  await expect(status).toBeVisible();
  const balance = page.getByText("72.00 USDG").first();
  await expect(balance).toHaveCount(0);
  await unlock(page);
  await expect(balance).toBeVisible();
  expect(signatures(wallet.requests)).toBe(asked + 1);

  await page.reload();
  await expect(page.getByText(/^Balances as of \d/)).toBeVisible();
  await expect(balance).toBeVisible();
  await shotOfState(page, "amounts-shown");
  expect(signatures(wallet.requests)).toBe(asked + 1);
  for (const amount of ["72.00", '"72"']) expect(await keptIn(page)).not.toContain(amount);
  await status.click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  await shotOfState(page, "unlock-amounts-shown");
  await dialog.getByRole("button", { name: "Lock", exact: true }).click();
  await expect(locked(page)).toBeVisible();
  await expect.poll(() => keptIn(page)).not.toContain("extractable");
  await expect(balance).toHaveCount(0);
  await page.goto("/test/transfers");
  await expect(locked(page)).toBeVisible();
  await expect(memo).toHaveCount(0);
});

test("unlocking takes at most 12 requests, however many agents there are", async ({
  browser,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("crowd", configDir, { available: "9.37" });
  for (const name of ["one", "two"]) await owner.client.agents.create({ name });
  await owner.client.transfers.create({ to: `${owner.handle}/one`, amount: "1", clientSigned: true });
  const line = await recordingLine(productURL);
  const context = await browser.newContext({ proxy: line.proxy, baseURL: productURL });
  const page = await context.newPage();
  await signedIn(page, owner.walletKey, playwright);
  // Changes of the account that arrive meanwhile render the page again, which is not unlocking.
  await page.route("**/api/stream?*", () => {});
  await page.goto("/test/balances");
  await locked(page).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  await expect(dialog).toBeVisible();
  line.sent.length = 0;
  await unlockInDialog(page);
  await expect(page.getByText("8.37 USDG").first()).toBeVisible();
  await expect(page.getByText("Agents hold").first()).toBeVisible();
  // The page's own scripts depend on no account and have their own limit (script-budget.spec.ts).
  // What a busy service turned away is sent again, and counts once.
  const asked = line.sent
    .filter(({ name, status }) => !name.includes("/_next/") && status !== 503)
    .map(({ name }) => name);
  test.info().annotations.push({ type: "requests", description: asked.join("\n") });
  expect(asked.length).toBeLessThanOrEqual(12);
  expect(asked.filter((name) => name === "GET /api/ledger/all")).toHaveLength(1);
  await context.close();
  line.close();
});

test("what was pressed before the page's scripts have run is done once they have; what was typed stays on the page, and out of its address", async ({
  page,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright);
  const button = (name: RegExp) => page.getByRole("button", { name }).first();
  const search = page.getByRole("combobox", { name: "Search and commands" });
  for (const [press, opens] of [
    [() => pressEarly(button(/^Locked/)), page.getByRole("dialog", { name: "Unlock amounts" })],
    [() => pressEarly(button(/^Search and commands/)), search],
    [() => page.keyboard.press("/"), search],
    [() => page.keyboard.press("ControlOrMeta+k"), search],
  ] as const) {
    const arrive = await holdScripts(page);
    await page.goto("/test/balances", { waitUntil: "commit" });
    await expect(button(/^Search and commands/)).toBeAttached();
    await press();
    await arrive();
    await expect(opens).toBeVisible();
  }

  const arrive = await holdScripts(page);
  await page.goto("/test/requests/new", { waitUntil: "commit" });
  const amount = page.getByLabel("Amount", { exact: true });
  await amount.fill("12.50");
  const asset = page.getByLabel("Asset", { exact: true });
  await asset.selectOption("ETH");
  await pressEarly(page.getByRole("button", { name: "Create request" }));
  await arrive();
  await expect(page.getByRole("dialog", { name: "Unlock amounts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(amount).toHaveValue("12.50");
  await expect(asset).toHaveValue("ETH");
  expect(new URL(page.url()).search).toBe("");

  const again = await holdScripts(page);
  await page.goto("/test/agents/new", { waitUntil: "commit" });
  await page.getByLabel("Per day", { exact: true }).fill("2500");
  await page.getByLabel("Per payment", { exact: true }).fill("750");
  await page.getByLabel("Key label", { exact: true }).fill("Server");
  await again();
  await expect(page.getByText("May not pay anyone")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("both");
  await expect(page.getByLabel("Per day", { exact: true })).toHaveValue("2,500");
  await expect(page.getByLabel("Per payment", { exact: true })).toHaveValue("750");
  await expect(page.getByLabel("Key label", { exact: true })).toHaveValue("Server");

  const once = await holdScripts(page);
  await page.goto("/test/agents/new", { waitUntil: "commit" });
  await page.getByLabel("Recipients", { exact: true }).fill("@demo");
  await page.getByLabel("Create a first API key").uncheck();
  await once();
  await expect(page.getByRole("list", { name: "Allowed recipients" })).toContainText("@demo");
  await expect(page.getByLabel("Key label", { exact: true })).toBeHidden();
});

test.describe("where a browser has no shared workers", () => {
  test.use({ vault: "own" });

  test("on a slow line the dialog says what is waited for", async ({ page, saver, playwright }) => {
    await signedIn(page, saver.walletKey, playwright);
    const held: (() => void)[] = [];
    let slow = true;
    await page.context().route(/\/vault\/|\/api\/ledger/, async (route) => {
      if (slow) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => {});
    });
    await page.goto("/test/balances");
    await locked(page).click();
    const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
    const button = dialog.getByRole("button", { name: "Unlock", exact: true });
    await chooseWallet(dialog, button.and(page.locator(":enabled")));
    await button.click();
    await expect(dialog.getByRole("status")).toContainText("Loading the program that decrypts");
    await shotOfState(page, "unlock-loading");
    slow = false;
    for (const release of held) release();
    await expect(dialog).toBeHidden();
  });
});
