import type { Page } from "@playwright/test";
import postgres from "postgres";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, sign, signedIn, test, unlock, unlockInDialog } from "./fixtures";
import { newOwner, productURL, uniqueHandle } from "./owner";
import { recordingLine } from "./recording-line";
import { injectWallet, WALLET_NAME } from "./wallet";

/** The saver's budget. */
const BUDGET = "73.19";

test.use({ vault: "shared" });
// One saver for all of them.
test.describe.configure({ mode: "default" });

const locked = (page: Page) => page.getByRole("button", { name: /^Locked/ });
const unlocked = (page: Page) => page.getByRole("button", { name: /^Unlocked/ });
const opened = (page: Page) => page.getByText(`${BUDGET} USDG`).first();
const signatures = (requests: { method: string }[]) =>
  requests.filter(({ method }) => method === "eth_signTypedData_v4" || method === "personal_sign").length;

/** Nothing that was decrypted is left: in text, attributes or fields. */
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
  // One unlock is for all tabs: this one asks the wallet for nothing.
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
  await page.clock.runFor("14:00");
  await page.keyboard.press("Shift");
  await page.clock.runFor("14:30");
  await expect(unlocked(page)).toBeVisible();
  // Time continues, timers do not: the first input after waking must not count.
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
  await page.goto("/test/balances");
  await locked(page).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  const choose = dialog.getByRole("button", { name: WALLET_NAME });
  const button = dialog.getByRole("button", { name: "Unlock", exact: true });
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

test("a wallet that signs differently each time neither unlocks nor enrols", async ({
  page,
  browser,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright, { differently: true });
  await page.goto("/test/balances");
  await locked(page).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  const choose = dialog.getByRole("button", { name: WALLET_NAME });
  const button = dialog.getByRole("button", { name: "Unlock", exact: true });
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
  await newcomer.getByRole("button", { name: "Enrol without one" }).click();
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
  await second.goto("/test/transfers");
  const cookies = await context.cookies();

  await page.getByRole("button", { name: saver.handle }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await second.waitForURL(/\/sign-in/);
  expect(await page.content()).not.toContain(BUDGET);
  // The token itself is worth nothing any more, even to someone who kept it.
  await context.addCookies(cookies);
  expect((await page.request.get("/api/accounts/me?network=test")).status()).toBe(401);
});

test("a browser that ends the vault's worker locks the page, which unlocks again without being loaded", async ({
  browser,
  page,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright);
  await page.goto("/test/balances");
  await unlock(page);
  const inspector = await browser.newBrowserCDPSession();
  const { targetInfos } = await inspector.send("Target.getTargets");
  const workers = targetInfos.filter(({ type, url }) => type === "shared_worker" && url.includes("/vault/"));
  expect(workers).toHaveLength(1);
  await inspector.send("Target.closeTarget", { targetId: workers[0]?.targetId ?? "" });
  await expectNothingOpened(page);
  await unlock(page);
  await expect(opened(page)).toBeVisible();
});

/** All that this browser would keep when it is closed, as text; a key that scripts cannot read stands as its properties. */
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
  await send.getByLabel("To").fill("@demo");
  await send.getByLabel("Memo").fill("Kept over the signature");
  const { sessions } = (await (await page.request.get("/api/sessions?network=test")).json()) as {
    sessions: { session_id: string; current: boolean }[];
  };
  const current = sessions.find((session) => session.current)?.session_id;
  const ended = await page.request.delete(`/api/sessions/${current}?network=test`, {
    data: {},
    headers: { origin: productURL },
  });
  expect(ended.status()).toBe(200);
  const again = page.getByRole("dialog", { name: "Sign in again" });
  // What is known of the money is said first: the dialog keeps the page until it is asked.
  await send.getByRole("contentinfo").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(again).toBeVisible();
  await shotOfState(page, "sign-in-again");
  await again.getByRole("button", { name: WALLET_NAME }).click();
  await expect(again).toBeHidden();
  await expect(send.getByLabel("Memo")).toHaveValue("Kept over the signature");
  expect(wallet.requests.some(({ method }) => method === "personal_sign")).toBe(true);
  expect((await page.request.get("/api/accounts/me?network=test")).status()).toBe(200);
});

/** Has all sessions of a wallet run out, as they do twelve hours after a sign-in. */
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
  await send.getByLabel("To").fill("@demo");
  await send.getByLabel("Amount").fill("0.5");
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
  // Signed in again, and nothing else: what was unlocked stayed so.
  expect(signatures(wallet.requests)).toBe(asked + 1);
});

test("signing in later keeps the keys: a link to another page asks for the signature before this one is left", async ({
  page,
  saver,
  playwright,
}) => {
  await signedIn(page, saver.walletKey, playwright);
  await page.goto("/test/balances");
  await unlock(page);
  await expireSessions(saver.walletKey);
  await page.keyboard.press("Control+k");
  // The service looks for it, and no longer knows who asks.
  await page.keyboard.type("tr_01");
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByRole("button", { name: "Not now" }).click();
  await page.keyboard.press("Escape");
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
  await page.goto("/test/balances");
  await locked(page).click();
  const dialog = page.getByRole("dialog", { name: "Unlock amounts" });
  await expect(dialog).toBeVisible();
  line.sent.length = 0;
  await unlockInDialog(page);
  await expect(page.getByText("8.37 USDG").first()).toBeVisible();
  await expect(page.getByText("Agents hold").first()).toBeVisible();
  // The page's own scripts, which depend on no account, are another figure (script-budget.spec.ts).
  const asked = line.sent.map(({ name }) => name).filter((name) => !name.includes("/_next/"));
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
  for (const [button, opens] of [
    [/^Locked/, page.getByRole("dialog", { name: "Unlock amounts" })],
    [/^Search or do/, page.getByRole("combobox", { name: "Search or do" })],
  ] as const) {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route("**/_next/static/**/*.js", async (route) => {
      await arrived;
      await route.continue().catch(() => {});
    });
    await page.goto("/test/balances", { waitUntil: "commit" });
    await page.getByRole("button", { name: button }).first().click();
    arrive();
    await expect(opens).toBeVisible();
    await page.unroute("**/_next/static/**/*.js");
  }
});

test.describe("where a browser has no shared workers", () => {
  test.use({ vault: "own" });

  test("on a slow line the dialog says what is waited for", async ({ page, saver, playwright }) => {
    await signedIn(page, saver.walletKey, playwright);
    const held: (() => void)[] = [];
    await page.context().route(/\/vault\/|\/api\/ledger/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
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
    for (const release of held.splice(0)) release();
    await expect(dialog).toBeHidden();
  });
});
