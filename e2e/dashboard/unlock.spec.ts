import type { Page } from "@playwright/test";
import postgres from "postgres";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expectAccessible, shot, shotOfState } from "./checks";
import { holdScripts, pressEarly } from "./early";
import { choose, expect, sign, signedIn, test, unlock, unlockInDialog } from "./fixtures";
import { newOwner, productURL, uniqueHandle } from "./owner";
import { recordingLine } from "./recording-line";
import { injectSilentWallet, injectWallet, WALLET_NAME } from "./wallet";

/** The saver's available balance. */
const BUDGET = "73.19";

test.use({ vault: "shared" });
// One saver for all tests.
test.describe.configure({ mode: "default" });

const locked = (page: Page) => page.getByRole("button", { name: /^Locked/ });
const unlocked = (page: Page) => page.getByRole("button", { name: /^Unlocked/ });
const opened = (page: Page) => page.getByText(`${BUDGET} USDG`).first();
const signatures = (requests: { method: string }[]) =>
  requests.filter(({ method }) => method === "eth_signTypedData_v4" || method === "personal_sign").length;

/** Signs in on a page and unlocks it at the balances. Returns its wallet. */
async function unlockedBalances(page: Page, owner: { walletKey: Hex }, playwright: Parameters<typeof signedIn>[2]) {
  const wallet = await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/balances");
  await unlock(page);
  return wallet;
}

/** Opens the unlock dialog of the locked balances. Returns it and its button. */
async function openedDialog(page: Page) {
  await page.goto("/test/balances");
  await locked(page).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  return { dialog, button: dialog.getByRole("button", { name: "Unlock", exact: true }) };
}

/** Expects that nothing decrypted is left in texts, attributes or fields. */
async function expectNothingOpened(page: Page): Promise<void> {
  await expect(locked(page)).toBeVisible();
  await expect(opened(page)).toHaveCount(0);
  const fields = await page
    .locator("input, textarea")
    .evaluateAll((all) => all.map((each) => "value" in each && each.value));
  expect(`${await page.content()} ${fields.join(" ")}`).not.toContain(BUDGET);
}

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
  await expectNothingOpened(page);

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
  await expectNothingOpened(page);
  await expectNothingOpened(second);
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
  await expectNothingOpened(page);
});

test("another wallet than the one signed in, a refusal, and a switched account open nothing and say so", async ({
  page,
  saver,
  playwright,
}) => {
  const wallet = await signedIn(page, saver.walletKey, playwright);
  const stranger = generatePrivateKey();
  wallet.use(stranger);
  const { dialog, button } = await openedDialog(page);
  const choose = dialog.getByRole("button", { name: WALLET_NAME });
  await expect(choose.or(dialog.getByRole("alert"))).toBeVisible();
  if (await choose.isVisible()) await choose.click();
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
  await expectNothingOpened(page);

  wallet.declining = false;
  await unlock(page);
  await expect(opened(page)).toBeVisible();
});

test("while a chosen wallet has not allowed the page, the choice can be cancelled and nothing can be unlocked", async ({
  page,
  saver,
  playwright,
}) => {
  const wallet = await signedIn(page, saver.walletKey, playwright);
  const respond = wallet.pause();
  const { dialog, button } = await openedDialog(page);
  await dialog.getByRole("button", { name: WALLET_NAME }).click();
  await expect(dialog.getByText(`Open ${WALLET_NAME} and allow this page`)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expect(button).toBeDisabled();
  await shotOfState(page, "unlock-wallet-not-allowed");
  respond();
  await button.click();
  await expect(opened(page)).toBeVisible();
});

test("a wallet that never responds can be given up for the one that is connected", async ({
  page,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright);
  await injectSilentWallet(page, "Silent Wallet");
  const { dialog, button } = await openedDialog(page);
  await dialog.getByRole("button", { name: WALLET_NAME }).click();
  await expect(button).toBeEnabled();
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
  const allocating = page.getByRole("dialog", { name: "Make money available" });
  await allocating.getByLabel("New available balance").fill("70");
  const allocate = async () => {
    await allocating.getByRole("button", { name: "Set available balance" }).click();
    await dialog.getByRole("button", { name: "Sign", exact: true }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Change the available balance" });
  const respond = wallet.pause();
  await allocate();
  const asksForChain = () => wallet.requests.some(({ method }) => method === "wallet_switchEthereumChain");
  await expect.poll(asksForChain).toBe(true);
  await dialog.getByRole("button", { name: "Do not sign" }).click();
  await expect(dialog).toBeHidden();
  respond();
  // The next one is asked for, on the network that the wallet has switched to by now.
  wallet.declining = true;
  await allocate();
  await expect(dialog.getByText("You declined in your wallet")).toBeVisible();
  expect(signatures(wallet.requests)).toBe(2);
});

test("a recovery code that was typed and not used is gone once another tab has unlocked and locked", async ({
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
  await unlocked(second).click();
  await expectNothingOpened(page);
  await locked(page).click();
  await expect(dialog.getByRole("button", { name: "A recovery code" })).toBeVisible();
  expect(await page.locator("input").evaluateAll((all) => all.map((each) => Reflect.get(each, "value")))).not.toContain(
    "ABCD-EFGH",
  );
});

test("in a tab that another one unlocked, another account's wallet can't be asked, and the account's own can be chosen", async ({
  page,
  context,
  saver,
  playwright,
}) => {
  await unlockedBalances(page, saver, playwright);
  const second = await context.newPage();
  const wallet = await injectWallet(second, saver.walletKey);
  // The tabs share where the last used wallet is noted.
  await second.addInitScript(() => localStorage.removeItem("halcyon.wallet.recentConnectorId"));
  await second.goto("/test/balances");
  await expect(opened(second)).toBeVisible();
  await second.getByRole("link", { name: "Make available USDG" }).click();
  const allocating = second.getByRole("dialog", { name: "Make money available" });
  await allocating.getByLabel("New available balance").fill("70");
  await allocating.getByRole("button", { name: "Set available balance" }).click();

  const dialog = second.getByRole("dialog", { name: "Change the available balance" });
  const button = dialog.getByRole("button", { name: "Sign", exact: true });
  await dialog.getByRole("button", { name: /Test wallet in this browser/ }).click();
  await expect(dialog.getByRole("alert")).toContainText(saver.address.toLowerCase());
  await expect(button).toBeDisabled();
  await shotOfState(second, "sign-wrong-wallet");
  await dialog.getByRole("button", { name: "Use another" }).click();
  await dialog.getByRole("button", { name: WALLET_NAME }).click();
  await expect(button).toBeEnabled();
  expect(signatures(wallet.requests)).toBe(0);
  await dialog.getByRole("button", { name: "Do not sign" }).click();
  await expect(dialog).toBeHidden();
});

test("a wallet that signs differently each time neither unlocks nor enrolls", async ({
  page,
  browser,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright, { differently: true });
  const { dialog, button } = await openedDialog(page);
  const choose = dialog.getByRole("button", { name: WALLET_NAME });
  await expect(choose.or(button.and(page.locator(":enabled"))).first()).toBeVisible();
  if (await choose.isVisible()) await choose.click();
  await button.click();
  await expect(dialog.getByRole("alert")).toContainText("differently each time");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expectNothingOpened(page);

  const newcomer = await browser.newPage();
  await signedIn(newcomer, generatePrivateKey(), playwright, { differently: true });
  await newcomer.goto("/test/welcome");
  await newcomer.getByLabel("Handle").fill(uniqueHandle("moody"));
  await newcomer.getByRole("button", { name: "Create account" }).click();
  await newcomer.getByRole("button", { name: "Enroll without one" }).click();
  await newcomer.getByRole("dialog").getByRole("button", { name: WALLET_NAME }).click();
  await sign(newcomer, "Create your account's key");
  await sign(newcomer, "The same signature, once more");
  await expect(newcomer.getByText("This wallet signs the same message differently each time")).toBeVisible();
  const account = await newcomer.request.get("/api/accounts/me?network=test");
  expect(await account.json()).toMatchObject({ enrolled: "none", sealed_root: null });
  await newcomer.close();
});

test("signing out ends the session on the server, locks and leaves in every tab", async ({ page, context, saver }) => {
  await injectWallet(page, saver.walletKey);
  await page.goto("/sign-in?next=/test/balances");
  await page.getByRole("button", { name: WALLET_NAME }).click();
  await page.waitForURL(({ pathname }) => pathname === "/test/balances");
  await unlock(page);
  await expect(opened(page)).toBeVisible();
  const second = await context.newPage();
  await second.goto("/test/balances");
  await expect(opened(second)).toBeVisible();
  await expect.poll(() => keptIn(second)).toContain("extractable: false");
  const cookies = await context.cookies();

  await choose(page.getByRole("button", { name: saver.handle }), "Sign out");
  await page.waitForURL(/\/sign-in/);
  await second.waitForURL(/\/sign-in/);
  for (const tab of [page, second]) expect(await tab.content()).not.toContain(BUDGET);
  await expect.poll(() => keptIn(page)).not.toContain("extractable");
  // The token itself is worthless now, even to someone who kept it.
  await context.addCookies(cookies);
  expect((await page.request.get("/api/accounts/me?network=test")).status()).toBe(401);
});

test("a session revoked from another device locks every tab and leaves no key, a switch in the wallet alone locks none", async ({
  page,
  context,
  saver,
  playwright,
}) => {
  const wallet = await unlockedBalances(page, saver, playwright);
  const second = await context.newPage();
  await second.goto("/test/balances");
  await expect(opened(second)).toBeVisible();
  await expect.poll(() => keptIn(second)).toContain("extractable: false");
  const heard = page.evaluate(
    () => new Promise((done) => addEventListener("vigil:accountsChanged", () => setTimeout(done), { once: true })),
  );
  wallet.use(generatePrivateKey());
  await heard;
  await expect(unlocked(page)).toBeVisible();

  expect(await revokeCurrent(page)).toBe(200);
  for (const tab of [page, second]) {
    await expect(opened(tab)).toHaveCount(0);
    expect(await tab.content()).not.toContain(BUDGET);
  }
  await expect.poll(() => keptIn(page)).not.toContain("extractable");
});

test("another wallet that signs in after the session ran out takes the keys from every tab", async ({
  page,
  context,
  saver,
  playwright,
}) => {
  await unlockedBalances(page, saver, playwright);
  const second = await context.newPage();
  await second.goto("/test/balances");
  await expect(opened(second)).toBeVisible();
  // A session that ran out loses nothing by itself.
  await expireSessions(saver.walletKey);
  const third = await context.newPage();
  await injectWallet(third, generatePrivateKey());
  await third.goto("/sign-in?next=/test/welcome");
  await third.getByRole("button", { name: WALLET_NAME }).click();
  await third.waitForURL("**/test/welcome");
  for (const tab of [page, second]) {
    await tab.waitForURL("**/test/welcome");
    expect(await tab.content()).not.toContain(BUDGET);
  }
  await expect.poll(() => keptIn(third)).not.toContain("extractable");
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
  await expectNothingOpened(page);
  await unlock(page);
  await expect(opened(page)).toBeVisible();
});

/** Revokes the page's session, as its owner would on another device. Returns the response's status. */
async function revokeCurrent(page: Page): Promise<number> {
  const { sessions } = (await (await page.request.get("/api/sessions?network=test")).json()) as {
    sessions: { session_id: string; current: boolean }[];
  };
  const current = sessions.find((session) => session.current)?.session_id;
  const headers = { origin: productURL };
  return (await page.request.delete(`/api/sessions/${current}?network=test`, { data: {}, headers })).status();
}

/**
 * Returns everything this browser would keep after closing, as text. A key that scripts can't read is represented by
 * its properties.
 */
async function keptIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const plain = (_: string, value: unknown) => {
      if (value instanceof CryptoKey) return `key, extractable: ${value.extractable}`;
      return value instanceof ArrayBuffer ? [...new Uint8Array(value)].join() : value;
    };
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name as string));
      for (const store of database.objectStoreNames) {
        texts.push(JSON.stringify(await done(database.transaction(store).objectStore(store).getAll()), plain));
      }
      database.close();
    }
    return texts.join("\n");
  });
}

test("after a reload payments are read without the wallet, money is not; locking takes that away too", async ({
  page,
  saver,
  playwright,
}) => {
  await saver.client.transfers.create({ to: "@demo", amount: "1.19", memo: "Read again", prepared: true });
  const wallet = await signedIn(page, saver.walletKey, playwright);
  await page.goto("/test/transfers");
  await unlock(page);
  const memo = page.getByText("Read again").first();
  await expect(memo).toBeVisible();
  await expect.poll(() => keptIn(page)).toContain("extractable: false");
  expect(await keptIn(page)).not.toContain("extractable: true");
  const asked = signatures(wallet.requests);
  await page.reload();
  await expect(memo).toBeVisible();
  const status = page.getByRole("button", { name: /^Read only/ });
  await expect(status).toBeVisible();
  await shotOfState(page, "read-only");
  expect(signatures(wallet.requests)).toBe(asked);

  await page.goto("/test/balances");
  await expect(status).toBeVisible();
  await expect(page.getByText("72 USDG")).toHaveCount(0);
  await unlock(page);
  await expect(page.getByText("72 USDG").first()).toBeVisible();
  expect(signatures(wallet.requests)).toBe(asked + 1);

  await page.reload();
  await status.click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  await shotOfState(page, "unlock-read-only");
  await dialog.getByRole("button", { name: "Lock", exact: true }).click();
  await expect(locked(page)).toBeVisible();
  await expect.poll(() => keptIn(page)).not.toContain("extractable");
  await page.goto("/test/transfers");
  await expect(locked(page)).toBeVisible();
  await expect(memo).toHaveCount(0);
});

test("a session that was ended asks for a signature over the page: the form stays, the account is locked", async ({
  page,
  saver,
  playwright,
}) => {
  const wallet = await signedIn(page, saver.walletKey, playwright);
  await page.goto("/test/balances?do=send");
  const send = page.getByRole("dialog", { name: "Send" });
  await send.getByLabel("To", { exact: true }).fill("@demo");
  await send.getByLabel("Memo").fill("Kept over the signature");
  expect(await revokeCurrent(page)).toBe(200);
  const again = page.getByRole("dialog", { name: "Sign in again" });
  // What is known of the money comes first: the dialog keeps the page until the person asks to sign in.
  await send.getByRole("contentinfo").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(again).toBeVisible();
  await shotOfState(page, "sign-in-again");
  await again.getByRole("button", { name: WALLET_NAME }).click();
  await expect(again).toBeHidden();
  await expect(send.getByLabel("Memo")).toHaveValue("Kept over the signature");
  expect(wallet.requests.some(({ method }) => method === "personal_sign")).toBe(true);
  expect((await page.request.get("/api/accounts/me?network=test")).status()).toBe(200);
});

/** Makes all sessions of a wallet time out, as they do twelve hours after a sign-in. */
async function expireSessions(walletKey: Hex): Promise<void> {
  const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1 });
  const address = Buffer.from(privateKeyToAddress(walletKey).slice(2), "hex");
  await sql`update sessions set expires_at = now() where address = ${address}`;
  await sql.end();
}

test("a session that ran out asks for a signature over the page: the form and the keys stay, and it is paid", async ({
  page,
  saver,
  playwright,
}) => {
  const wallet = await signedIn(page, saver.walletKey, playwright);
  await page.goto("/test/balances?do=send");
  const send = page.getByRole("dialog", { name: "Send" });
  await send.getByRole("button", { name: "Close" }).click();
  await unlock(page);
  await page.getByRole("link", { name: "Send", exact: true }).click();
  await send.getByLabel("To", { exact: true }).fill("@demo");
  await send.getByLabel("Amount", { exact: true }).fill("0.5");
  await send.getByRole("button", { name: "Review", exact: true }).click();
  const pay = page.getByRole("dialog").getByRole("button", { name: "Pay 0.5 USDG" });
  await expect(pay).toBeEnabled();
  const asked = signatures(wallet.requests);
  await expireSessions(saver.walletKey);
  await pay.click();
  await page.getByRole("contentinfo").getByRole("button", { name: "Sign in", exact: true }).click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByRole("button", { name: WALLET_NAME }).click();
  await expect(again).toBeHidden();
  await expect(page.getByRole("dialog").getByText("You are signed in again.")).toBeVisible();
  await pay.click();
  await expect(page.getByRole("dialog").getByText("confirmed").first()).toBeVisible();
  // Only a sign-in was needed: what was unlocked stayed unlocked.
  expect(signatures(wallet.requests)).toBe(asked + 1);
});

test("signing in later keeps the keys: a link to another page asks for the signature before this one is left", async ({
  page,
  saver,
  playwright,
}) => {
  await unlockedBalances(page, saver, playwright);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  // Only now: a late request of the page would open the dialog below, and the search not above it.
  await expireSessions(saver.walletKey);
  // The search makes the page call the service, which no longer accepts the session.
  await page.keyboard.type("tr_01");
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByRole("button", { name: "Not now" }).click();
  await expect(again).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeHidden();
  const transfers = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Transfers" });
  await transfers.click();
  await again.getByRole("button", { name: "Not now" }).click();
  await expect(page).toHaveURL(/\/test\/balances$/);
  await expect(unlocked(page)).toBeVisible();
  await transfers.click();
  await again.getByRole("button", { name: WALLET_NAME }).click();
  await expect(page).toHaveURL(/\/test\/transfers$/);
  await expect(page.getByRole("heading", { level: 1, name: "Transfers" })).toBeVisible();
  await expect(unlocked(page)).toBeVisible();
});

test("unlocking takes at most 12 requests, however many agents there are", async ({
  browser,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("crowd", configDir, { budget: "9.37" });
  for (const name of ["one", "two", "three", "four"]) await owner.client.agents.create({ name });
  await owner.client.transfers.create({ to: `${owner.handle}/one`, amount: "1", prepared: true });
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

test("what was pressed before the page's scripts have run is done once they have", async ({
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
});

test("what was typed and submitted before the page's scripts have run stays on the page, and out of its address", async ({
  page,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright);
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
    const wallet = dialog.getByRole("button", { name: WALLET_NAME });
    const button = dialog.getByRole("button", { name: "Unlock", exact: true });
    await expect(wallet.or(button.and(page.locator(":enabled"))).first()).toBeVisible();
    if (await wallet.isVisible()) await wallet.click();
    await button.click();
    await expect(dialog.getByRole("status")).toContainText("Loading the program that decrypts");
    await shotOfState(page, "unlock-loading");
    slow = false;
    for (const release of held) release();
    await expect(dialog).toBeHidden();
  });
});
