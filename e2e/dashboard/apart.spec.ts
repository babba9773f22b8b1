import type { Page } from "@playwright/test";
import { Halcyon } from "@/sdk/client";
import { UNSIGNED_POLICY } from "../api/agent-fixtures";
import { WalletSession } from "../api/wallet-session";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, reviewAndPay, signedIn, test, unlock } from "./fixtures";
import { newOwner, type Owner, productURL } from "./owner";

const LIVE = "Live network: stands for real money; here its chain is local.";

/** Returns the row of the available balance on the open page. */
const budget = (page: Page) => page.getByRole("region", { name: "Total USDG" }).locator("dl > div").first();

/** Sends from the dialog of the open page, and waits until the payment is final. */
async function send(page: Page, to: string, amount: string): Promise<void> {
  await page.getByRole("link", { name: "Send", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Send" });
  await dialog.getByLabel("To", { exact: true }).fill(to);
  await dialog.getByLabel("Amount", { exact: true }).fill(amount);
  await reviewAndPay(page, `Pay ${amount} USDG`);
  await expect(dialog.getByText("Final on chain.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
}

/** Returns the number of rows in the transfers list. */
async function transfers(page: Page, network: "test" | "live"): Promise<number> {
  const response = await page.request.get(`/api/transfers?network=${network}`);
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
  const owner = await newOwner("both", configDir, { budget: "20" });
  const live = new Halcyon({ url: productURL, walletKey: owner.walletKey, network: "live", configDir });
  await live.account.create({ handle: owner.handle.slice(1) });
  await live.account.verifyIdentity();
  await live.testHelpers.faucet({ amount: "300" });
  await live.balances.makeAvailable({ amount: "250" });

  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/balances");
  await expect(page.getByText(LIVE)).toHaveCount(0);
  await unlock(page);
  await expect(budget(page)).toContainText("20 USDG");
  await send(page, "@demo", "1.5");
  await expect(budget(page)).toContainText("18.5 USDG");
  expect(await transfers(page, "live")).toBe(0);

  await page.getByRole("navigation", { name: "Network" }).getByRole("link", { name: "live" }).click();
  await expect(page).toHaveURL(/\/live\/balances$/);
  await expect(page.getByText(LIVE)).toBeVisible();
  // Another network has its own vault, so the page is locked.
  await expect(page.getByRole("button", { name: /^Locked/ })).toBeVisible();
  await expect(budget(page)).toContainText("encrypted amount");
  await unlock(page);
  await expect(budget(page)).toContainText("250 USDG");
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
  await expect(budget(page)).toContainText("210 USDG");
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
  await expect(budget(page)).toContainText("18.5 USDG");
});

/** Returns everything of an account that someone else might see or change, as its own session reads it. */
async function everythingOf(session: WalletSession): Promise<Record<string, unknown>> {
  const read = ["accounts/me", "keys", "agents", "webhooks", "backups", "sessions", "transfers", "ledger?asset=USDG"];
  const responses = read.map(async (path) => [path, await (await session.get(`/api/${path}`)).json()] as const);
  return Object.fromEntries(await Promise.all(responses));
}

test("a second account sees nothing of the first in any page, and each thing it tries on it is refused and changes nothing", async ({
  page,
  playwright,
  configDir,
  other,
}) => {
  const first: Owner = await newOwner("first", configDir, { budget: "10" });
  const agent = await first.client.agents.create({ name: "bot" });
  const paid = await first.client.transfers.create({ to: "@demo", amount: "1", prepared: true });
  if (!("transfer_id" in paid)) throw new Error("an own payment is not held");
  const session = await WalletSession.open(playwright, productURL, { key: first.walletKey });
  const added = await session.send("POST", "/api/webhooks", {
    url: "https://example.com/hook",
    events: ["transfer.confirmed"],
  });
  const hook = (await added.json()) as { webhook_id: string };
  const before = await everythingOf(session);
  const keyId = (before.keys as { keys: { key_id: string }[] }).keys[0]?.key_id;
  const sessionId = (before.sessions as { sessions: { session_id: string }[] }).sessions[0]?.session_id;
  expect([keyId, sessionId].every(Boolean)).toBe(true);

  await signedIn(page, other.walletKey, playwright);
  // Of the key, four characters are shown. As part of a longer word they occur by chance.
  const keyOfFirst = new RegExp(`(?<![\\w+/=-])${first.apiKey.slice(-4)}(?![\\w+/=-])`);
  const secretsOfFirst = [first.handle.slice(1), first.address.slice(2).toLowerCase()];
  const lists = ["", "/balances", "/transfers", "/agents", "/approvals", "/developers/keys", "/developers/webhooks"];
  for (const path of [...lists, "/developers/events", "/settings", "/settings/security", "/settings/audit-log"]) {
    await page.goto(`/test${path}`);
    const html = await page.content();
    for (const secret of secretsOfFirst) expect(html.toLowerCase(), path).not.toContain(secret);
    expect(html, path).not.toMatch(keyOfFirst);
  }
  const details = [
    `transfers/${paid.transfer_id}`,
    `agents/${agent.account_id}`,
    `developers/webhooks/${hook.webhook_id}`,
  ];
  for (const path of details) expect((await page.goto(`/test/${path}`))?.status(), path).toBe(404);

  const tries: [method: string, path: string, data?: unknown][] = [
    ["DELETE", `keys/${keyId}`, {}],
    ["DELETE", `sessions/${sessionId}`, {}],
    ["POST", `agents/${agent.account_id}/pause`, {}],
    ["PATCH", `agents/${agent.account_id}/spend-policy`, { daily_limit_usdg: 1, signed: UNSIGNED_POLICY }],
    ["PATCH", `webhooks/${hook.webhook_id}`, { enabled: false }],
    ["POST", `webhooks/${hook.webhook_id}/rotate-secret`, {}],
    ["DELETE", `webhooks/${hook.webhook_id}`, {}],
    ["GET", `transfers/${paid.transfer_id}`],
    ["GET", `ledger?asset=USDG&agent=${encodeURIComponent(agent.handle)}`],
  ];
  for (const [method, path, data] of tries) {
    const url = `/api/${path}${path.includes("?") ? "&" : "?"}network=test`;
    const response = await page.request.fetch(url, { method, data, headers: { origin: productURL } });
    expect([403, 404], `${method} ${path}: ${response.status()}`).toContain(response.status());
    expect(await response.text(), path).not.toContain(first.handle.slice(1));
  }
  expect(await everythingOf(session)).toEqual(before);
  // The owner's same request succeeds.
  expect((await session.send("DELETE", `/api/keys/${keyId}`)).status()).toBe(200);
  await session.http.dispose();
});
