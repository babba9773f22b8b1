import type { Page } from "@playwright/test";
import { Halcyon } from "@/sdk/client";
import { UNSIGNED_POLICY } from "@/test/accounts/unsigned-policy";
import { WalletSession } from "../api/wallet-session";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, reviewAndPay, signedIn, test, unlock } from "./fixtures";
import { newOwner, type Owner, productURL } from "./owner";

const LIVE = "Live network: stands for real money; here its chain is local.";

/** Returns the row of the available balance on the open page. */
const available = (page: Page) => page.getByRole("region", { name: "Total USDG" }).locator("dl > div").first();

/** Sends from the dialog of the open page, and waits until the payment is final. */
async function send(page: Page, to: string, amount: string): Promise<void> {
  await page.getByRole("link", { name: "Send", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Send" });
  await dialog.getByLabel("To", { exact: true }).fill(to);
  await dialog.getByLabel("Amount", { exact: true }).fill(amount);
  await reviewAndPay(page, `Pay ${Number(amount).toFixed(2)} USDG`);
  await expect(dialog.getByText("Final on chain.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
}

/** Returns the number of rows in the transfers list. */
async function transfers(page: Page, network: "test" | "live"): Promise<number> {
  const response = await page.request.get(`/v1/transfers?network=${network}`);
  return ((await response.json()) as { transfers: unknown[] }).transfers.length;
}

/** Creates an API key in the page and returns it. */
async function createKey(page: Page, network: "test" | "live"): Promise<string> {
  await page.goto(`/${network}/developers/keys`);
  await unlock(page);
  await page.getByRole("link", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Label").fill(`Server of ${network}`);
  await dialog.getByLabel("Pays from").selectOption("own");
  await dialog.getByLabel("Used by").selectOption("Any HTTP client, such as curl");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const text = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByLabel("I have stored the key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  return text;
}

test("test and live in one browser: neither's money, payments, keys nor unlocking reach the other, and live says so", async ({
  page,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("both", configDir, { available: "20" });
  const live = new Halcyon({ url: productURL, walletKey: owner.walletKey, network: "live", configDir });
  await live.account.create({ handle: owner.handle.slice(1) });
  await live.account.verifyIdentity();
  await live.testHelpers.faucet({ amount: "300" });
  await live.balances.makeAvailable({ amount: "250" });

  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/balances");
  await expect(page.getByText(LIVE)).toHaveCount(0);
  await unlock(page);
  await expect(available(page)).toContainText("20.00 USDG");
  await send(page, "@demo", "1.5");
  await expect(available(page)).toContainText("18.50 USDG");
  expect(await transfers(page, "live")).toBe(0);

  await page.getByRole("navigation", { name: "Network" }).getByRole("link", { name: "live" }).click();
  await expect(page).toHaveURL(/\/live\/balances$/);
  await expect(page.getByText(LIVE)).toBeVisible();
  // Another network has its own vault, so the page is locked.
  await expect(page.getByRole("button", { name: /^Locked/ })).toBeVisible();
  await expect(available(page)).toContainText("encrypted amount");
  await unlock(page);
  await expect(available(page)).toContainText("250.00 USDG");
  await page.mouse.wheel(0, 2_000);
  await expect(page.getByText(LIVE)).toBeInViewport();
  await page.mouse.wheel(0, -2_000);
  await expectAccessible(page);
  await shot(page, "live-balances");
  await page.getByRole("link", { name: "Send", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Send" }).getByText("Live", { exact: true })).toBeVisible();
  await shotOfState(page, "live-send");
  await page.keyboard.press("Escape");
  await send(page, "@demo", "40");
  await expect(available(page)).toContainText("210.00 USDG");
  expect(await transfers(page, "live")).toBe(1);
  expect(await transfers(page, "test")).toBe(1);

  const liveKey = await createKey(page, "live");
  expect(liveKey).toMatch(/^hc_live_/);
  await expect(page.getByRole("row").filter({ hasText: "Server of live" })).toContainText(liveKey.slice(-4));
  await shotOfState(page, "live-keys");
  const testKey = await createKey(page, "test");
  expect(testKey).toMatch(/^hc_test_/);
  await expect(page.getByRole("row").filter({ hasText: "Server of test" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Server of live" })).toHaveCount(0);

  await page.goto("/test/balances");
  await unlock(page);
  await expect(available(page)).toContainText("18.50 USDG");
});

/** Returns everything of an account that someone else might see or change, as its own session reads it. */
async function everythingOf(session: WalletSession): Promise<Record<string, unknown>> {
  const read = [
    ...["keys", "backups", "sessions", "ledger?asset=USDG"].map((path) => `/api/${path}`),
    ...["accounts/me?include=ledger", "accounts/me/agents", "webhooks", "transfers"].map((path) => `/v1/${path}`),
  ];
  const responses = read.map(async (path) => [path, await (await session.get(path)).json()] as const);
  return Object.fromEntries(await Promise.all(responses));
}

/** What a new account reads on each page that lists something, and the name of its picture. */
const EMPTY: [path: string, heading: string, picture: string][] = [
  ["", "Nothing here yet", "overview-empty"],
  ["/balances", "Nothing here yet", "balances-empty"],
  ["/transfers", "No transfers yet", "transfers-empty"],
  ["/agents", "No agents yet", "agents-empty"],
  ["/approvals", "Nothing awaits your approval", "approvals-empty"],
  ["/requests", "No requests yet", "requests-empty"],
  ["/schedules", "No schedules yet", "schedules-empty"],
  ["/payouts", "No payouts yet", "payouts-empty"],
  ["/developers/webhooks", "No webhooks yet", "webhooks-empty"],
];

test("a new account reads on every page how to begin and sees nothing of another, and each thing it tries on that one is refused and changes nothing", async ({
  page,
  playwright,
  configDir,
}) => {
  const first: Owner = await newOwner("first", configDir, { available: "10" });
  const second: Owner = await newOwner("second", configDir);
  const agent = await first.client.agents.create({ name: "bot" });
  const paid = await first.client.transfers.create({ to: "@demo", amount: "1", clientSigned: true });
  if (!("transfer_id" in paid) || !paid.transfer_id) throw new Error("an own payment is not held");
  const session = await WalletSession.open(playwright, productURL, { key: first.walletKey });
  const added = await session.send("POST", "/v1/webhooks", {
    url: "https://example.com/hook",
    events: ["transfer.confirmed"],
  });
  const hook = (await added.json()) as { webhook_id: string };
  // What is on its way changes by itself until it is final.
  const read = async (path: string) => (await session.get(path)).json();
  await expect.poll(async () => (await read(`/v1/transfers/${paid.transfer_id}`)).status).toBe("confirmed");
  const policy = `/v1/agents/${agent.account_id}/spend-policy?include=ledger`;
  await expect.poll(async () => (await read(policy)).in_force).toBe("yes");
  const isIndexed = ({ available }: { available: { commitment: string; newest_commitment: string } }) =>
    available.commitment === available.newest_commitment;
  await expect.poll(async () => isIndexed(await read("/api/ledger?asset=USDG"))).toBe(true);
  const before = await everythingOf(session);
  const keyId = (before["/api/keys"] as { keys: { key_id: string }[] }).keys[0]?.key_id;
  const sessionId = (before["/api/sessions"] as { sessions: { session_id: string }[] }).sessions[0]?.session_id;
  const { events } = (await (await session.get("/v1/events")).json()) as { events: { event_id: string }[] };
  const eventId = events[0]?.event_id;
  expect([keyId, sessionId, eventId].every(Boolean)).toBe(true);

  await signedIn(page, second.walletKey, playwright);
  // Of the key, four characters are shown. As part of a longer commitment they occur by chance.
  const keyOfFirst = new RegExp(`(?<![\\w+/=-])${first.apiKey.slice(-4)}(?![\\w+/=-])`);
  const secretsOfFirst = [first.handle.slice(1), first.address.slice(2).toLowerCase()];
  const expectNothingOfFirst = async (path: string) => {
    const html = await page.content();
    for (const secret of secretsOfFirst) expect(html.toLowerCase(), path).not.toContain(secret);
    expect(html, path).not.toMatch(keyOfFirst);
  };
  for (const [path, heading, picture] of EMPTY) {
    await page.goto(`/test${path}`);
    await expect(page.getByRole("heading", { name: heading }), path).toBeVisible();
    await expectNothingOfFirst(path);
    await expectAccessible(page);
    await shot(page, picture);
  }
  await expect(page.getByText("halcyon listen --forward-to")).toBeVisible();
  const settings = ["/settings", "/settings/security", "/settings/audit-log"];
  for (const path of ["/developers/keys", "/developers/events", ...settings]) {
    await page.goto(`/test${path}`);
    await expectNothingOfFirst(path);
  }
  await page.goto("/test");
  await expect(page.getByText("Nothing waits for you, and nothing has failed this week.")).toBeVisible();
  // Cards without content are not shown.
  for (const name of ["Waiting for you", "Failed", "Recent payments", "Money in and out", "Webhooks"]) {
    await expect(page.getByRole("heading", { name, exact: true })).toHaveCount(0);
  }
  const details = [
    `transfers/${paid.transfer_id}`,
    `agents/${agent.account_id}`,
    `developers/webhooks/${hook.webhook_id}`,
    `developers/events/${eventId}`,
  ];
  for (const path of details) expect((await page.goto(`/test/${path}`))?.status(), path).toBe(404);
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await page.goto(`/test/transfers?counterparty=${encodeURIComponent(first.handle)}`);
  await expect(page.getByText("No transfer matches these filters")).toBeVisible();
  await expect(second.client.receipts.create(paid.transfer_id)).rejects.toMatchObject({ code: "not_found" });

  const tries: [method: string, path: string, data?: unknown][] = [
    ["DELETE", `/api/keys/${keyId}`, {}],
    ["DELETE", `/api/sessions/${sessionId}`, {}],
    ["POST", `/v1/agents/${agent.account_id}/pause`, {}],
    ["PATCH", `/v1/agents/${agent.account_id}/spend-policy`, { daily_limit_usdg: 1, signed: UNSIGNED_POLICY }],
    ["PATCH", `/v1/webhooks/${hook.webhook_id}`, { enabled: false }],
    ["POST", `/v1/webhooks/${hook.webhook_id}/rotate-secret`, {}],
    ["DELETE", `/v1/webhooks/${hook.webhook_id}`, {}],
    ["GET", `/v1/transfers/${paid.transfer_id}`],
    ["GET", `/api/ledger?asset=USDG&agent=${encodeURIComponent(agent.handle)}`],
  ];
  for (const [method, path, data] of tries) {
    const url = `${path}${path.includes("?") ? "&" : "?"}network=test`;
    const response = await page.request.fetch(url, { method, data, headers: { origin: productURL } });
    expect([403, 404], `${method} ${path}: ${response.status()}`).toContain(response.status());
    expect(await response.text(), path).not.toContain(first.handle.slice(1));
  }
  expect(await everythingOf(session)).toEqual(before);
  // The owner's same request succeeds.
  expect((await session.send("DELETE", `/api/keys/${keyId}`)).status()).toBe(200);
  await session.http.dispose();
});
