import { type Hex, hexToBytes, numberToBytes } from "viem";
import { decryptFunds } from "@/sdk/account/funds/funds";
import { ownParty } from "@/sdk/account/party";
import type { Context } from "@/sdk/context/context";
import { nodeContext } from "@/sdk/context/platform/node-context";
import { decryptOwnAccountKey, signUnlock } from "@/sdk/context/vault/vault";
import { amountNeedles, type Needle, Scanner, textNeedles } from "../leaks/scan";
import { expect, reviewAndPay, sign, signedIn, test, unlock } from "./fixtures";
import { newOwner, type Owner, productURL } from "./owner";
import { recordingLine } from "./recording-line";

/* Decimal strings of USDG that occur nowhere else, so that any occurrence is a leak. */
const DEPOSIT = "61403.918273";
const AVAILABLE = "48211.730914";
const CHANGE = "13202.187359"; // received by making money available: DEPOSIT and the first 10, less AVAILABLE, is CHANGE
const SENT = "21313.370042";
const LEFT = "26898.360872"; // AVAILABLE less SENT
const TOTAL = "40100.548231"; // LEFT and CHANGE
const MEMO = "Canary memo of the traffic test";

/** The secrets below that may leave the browser, with the request and the reason. */
const ALLOWED: { secret: string; request: string; why: string }[] = [
  {
    secret: "deposit",
    request: "POST /api/faucet",
    why: "what the faucet mints is public: it is a plain token transfer",
  },
  {
    secret: "deposit",
    request: "POST /api/deposits",
    why: "a deposit is public: the wallet signs its value for the chain",
  },
  {
    secret: "deposit",
    request: "POST /api/make-available",
    why: "a move to the available balance takes deposited money, which is public, by its value",
  },
  {
    secret: "total",
    request: "POST /v1/accounts/me/balances",
    why: "a decryption proof shows the service one total per asset",
  },
];

/** Returns the forms in which a request may contain bytes: raw, hex, base64 and base64url at any alignment, decimal. */
function bytesNeedles(label: string, value: Uint8Array): Needle[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const texts = [hex, hex.toUpperCase(), BigInt(`0x${hex}`).toString()];
  for (const lead of [0, 1, 2]) {
    const base64 = Buffer.concat([Buffer.alloc(lead), bytes]).toString("base64");
    // Only the characters all of whose bits belong to the value.
    const inner = base64.slice(lead === 0 ? 0 : lead + 1, Math.floor(((lead + bytes.length) * 8) / 6));
    texts.push(inner, inner.replaceAll("+", "-").replaceAll("/", "_"));
  }
  const forms = [bytes, ...texts.map((text) => Buffer.from(text, "utf8"))];
  return forms.map((form) => ({ name: `${label}: ${form.length} bytes`, bytes: form }));
}

/** Returns the account's keys, derived again from its wallet's key. */
async function keysOf(owner: Owner, context: Context): Promise<Needle[]> {
  const [scope, account, vault] = await Promise.all([context.scope(), context.account(), context.vault()]);
  const signature = hexToBytes(await signUnlock(context.wallet, scope));
  const accountKey = await decryptOwnAccountKey(context.wallet, scope, account.encrypted_account_key as Hex);
  return [
    ...bytesNeedles("wallet key", hexToBytes(owner.walletKey)),
    ...bytesNeedles("unlock signature", signature),
    ...bytesNeedles("unlock signature's r", signature.subarray(0, 32)),
    ...bytesNeedles("account key", accountKey),
    ...bytesNeedles("viewing key", vault.viewingKey.secret),
    ...bytesNeedles("account secret", vault.secret),
    ...bytesNeedles("payment key", hexToBytes(vault.paymentKey.privateKey)),
  ];
}

/** Returns the salts of everything the account has now. */
async function saltsOf(context: Context, when: string): Promise<Needle[]> {
  const { available, notes } = await decryptFunds(context, await ownParty(context), await context.asset());
  const salts = [available.salt, ...notes.map(({ salt }) => salt)].filter((salt) => salt !== 0n);
  expect(salts.length, when).toBeGreaterThan(0);
  return salts.flatMap((salt, at) => bytesNeedles(`salt ${at} ${when}`, numberToBytes(salt, { size: 32 })));
}

const contextOf = (owner: Owner, configDir: string) =>
  nodeContext({ url: productURL, walletKey: owner.walletKey, configDir }, () => {
    throw new Error("nothing is proven here");
  });

test("no wallet key, account key, viewing key, account secret, salt or amount leaves the browser, beyond what the test lists", async ({
  browser,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("canary", configDir, { available: "10" });
  const payee = await newOwner("canarypayee", configDir);
  const [own, theirs] = [contextOf(owner, configDir), contextOf(payee, configDir)];
  const needles = [...(await keysOf(owner, own)), ...(await saltsOf(own, "at first"))];

  const line = await recordingLine(productURL);
  const context = await browser.newContext({ proxy: line.proxy, baseURL: productURL });
  const page = await context.newPage();
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await signedIn(page, owner.walletKey, playwright);
  const { sent } = line;
  await page.goto("/test/balances");
  await unlock(page);

  await page.getByRole("link", { name: "Add funds" }).click();
  const funds = page.getByRole("dialog", { name: "Add funds" });
  await funds.getByLabel("Amount", { exact: true }).fill(DEPOSIT);
  await funds.getByRole("button", { name: "Get test money" }).click();
  await sign(page, "Deposit");
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click({ timeout: 60_000 });

  await page.getByRole("link", { name: "Make available USDG" }).click();
  const makeAvailable = page.getByRole("dialog", { name: "Make money available" });
  await makeAvailable.getByLabel("New available balance").fill(AVAILABLE);
  await expect(makeAvailable.getByText("Makes 48,201.730914 USDG available")).toBeVisible();
  await makeAvailable.getByRole("button", { name: "Set available balance" }).click();
  await sign(page, "Change the available balance");
  await expect(makeAvailable).toBeHidden({ timeout: 60_000 });
  needles.push(...(await saltsOf(own, "after making money available")));

  await page.getByRole("link", { name: "Send", exact: true }).click();
  const send = page.getByRole("dialog", { name: "Send" });
  await send.getByLabel("To", { exact: true }).fill(payee.handle);
  await send.getByLabel("Amount", { exact: true }).fill(SENT);
  await send.getByLabel("Memo").fill(MEMO);
  await reviewAndPay(page, "Pay 21,313.370042 USDG");
  await expect(send.getByText("Final on chain.")).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press("Escape");
  needles.push(...(await saltsOf(own, "after sending")), ...(await saltsOf(theirs, "of the payee")));

  await page.getByRole("button", { name: "Verify balances" }).click();
  await expect(page.getByText("USDG matches")).toBeVisible({ timeout: 60_000 });

  await page.goto("/test/developers/keys");
  await unlock(page);
  await page.getByRole("link", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Label").fill("Traffic");
  await dialog.getByLabel("Pays from").selectOption("own");
  await dialog.getByLabel("Used by").selectOption("Any HTTP client, such as curl");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = (await dialog.locator("code").textContent()) ?? "";
  expect(key).toMatch(/^hc_test_[0-9A-Za-z]{49}$/);
  await page.goto("/test/transfers");
  await unlock(page);
  await expect(page.getByRole("row").filter({ hasText: payee.handle })).toContainText(MEMO);

  // The recording includes requests that the page itself did not make: those of the vault and its prover.
  expect(sockets).toEqual([]);
  const names = new Set(sent.map(({ name }) => name));
  const rpc = (await own.info()).rpcUrl;
  const ofVault = [
    "GET /api/ledger",
    "POST /api/make-available",
    "POST /v1/transfers",
    "POST /v1/accounts/me/balances",
    "POST /api/keys",
  ];
  for (const name of [...ofVault, `POST ${new URL(rpc).origin}/`]) expect([...names]).toContain(name);
  expect([...names].some((name) => name.startsWith("GET /circuits/"))).toBe(true);
  const ofPage = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  expect(ofPage.filter((name) => name.startsWith(rpc))).toEqual([]);
  const empty = sent.filter(({ name, body }) => name.startsWith("POST ") && !body.length).map(({ name }) => name);
  expect.soft(empty, "posts whose body was not recorded").toEqual([]);

  needles.push(
    ...amountNeedles("deposit:", DEPOSIT, 6),
    ...amountNeedles("available:", AVAILABLE, 6),
    ...amountNeedles("change:", CHANGE, 6),
    ...amountNeedles("sent amount:", SENT, 6),
    ...amountNeedles("available balance left:", LEFT, 6),
    ...amountNeedles("total:", TOTAL, 6),
    ...textNeedles("memo:", MEMO),
    ...textNeedles("API key:", key.slice("hc_test_".length)),
  );
  const scanner = new Scanner(needles);
  const cookies = JSON.stringify(await context.cookies());
  const leaks = [
    ...scanner.scan("cookies", cookies),
    ...sent.flatMap(({ name, text, body }) => [...scanner.scan(name, text), ...scanner.scan(name, body)]),
  ];
  const found = new Set(leaks.map(({ needle, place }) => `${needle.split(":")[0]} in ${place}`));
  // Exactly these: an unused exception must be removed, and a found one proves that the search works.
  expect([...found].sort()).toEqual(ALLOWED.map(({ secret, request }) => `${secret} in ${request}`).sort());
  await context.close();
  line.close();
});
