import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Page } from "@playwright/test";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { memoryClaims } from "@/sdk/x402/claims";
import { expectAnnounced } from "../announcements";
import { Application, called, refused } from "./application";
import { expectAccessible, shot } from "./checks";
import { holdScripts, pressEarly } from "./early";
import { expect, sign, signedIn, test, unlockInDialog } from "./fixtures";
import { newOwner, type Owner, productURL } from "./owner";

/** Creates an owner with an agent that may pay, with approval above 5 USDG. */
async function ownerWithAgent(configDir: string): Promise<{ owner: Owner; agent: string }> {
  const owner = await newOwner("connects", configDir, { available: "40" });
  const policy = {
    daily_limit_usdg: 30,
    per_transaction_limit_usdg: 20,
    hitl_threshold_usdg: 5,
    allowed_recipients: ["*"],
    assets: ["USDG" as const],
    active_hours: "00:00-24:00",
  };
  const { handle } = await owner.client.agents.create({ name: "bot", spendPolicy: policy });
  await owner.client.transfers.create({ to: handle, amount: "30", clientSigned: true });
  return { owner, agent: handle };
}

/** Starts a shop with the stock middleware. */
async function shopOf({ client, address }: Owner) {
  const selling = await client.x402.seller({ claims: memoryClaims() });
  const server = new x402ResourceServer(selling.facilitator).register("eip155:46630", selling);
  const terms = { scheme: "confidential", network: "eip155:46630", payTo: address, maxTimeoutSeconds: 60 } as const;
  const app = new Hono();
  app.use(paymentMiddleware({ "GET /report": { accepts: { ...terms, price: "$0.05" } } }, server));
  app.get("/report", (c) => c.text("the report"));
  app.get("/elsewhere", (c) => c.redirect("http://169.254.169.254/latest/meta-data"));
  const http = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, close: () => http.close() };
}

/**
 * Decides as a person would, on the page that the application's link opens.
 *
 * @param early before the page's scripts have run
 */
async function connect(page: Page, application: Application, agent: string, early = false): Promise<void> {
  await application.ask();
  const arrive = early && (await holdScripts(page));
  await page.goto(application.authorizationUrl, { waitUntil: early ? "commit" : "load" });
  await page.getByLabel("Agent", { exact: true }).selectOption(agent);
  const button = page.getByRole("button", { name: "Connect", exact: true });
  if (arrive) {
    await pressEarly(button);
    await arrive();
  } else await button.click();
  await unlockInDialog(page);
  await sign(page, "Connect an application");
  await expect(page).toHaveTitle("Connected");
}

test("an application is connected by the wallet, pays within the policy of one agent, and is disconnected", async ({
  page,
  configDir,
  playwright,
  other,
}) => {
  const { owner, agent } = await ownerWithAgent(configDir);
  const application = await Application.start("Assistant <b>of</b> tests");
  const shop = await shopOf(other);
  await signedIn(page, owner.walletKey, playwright);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  try {
    await application.ask();
    await page.goto(application.authorizationUrl);
    expect(new URL(page.url()).pathname).toBe("/test/connect");
    await expect(page.getByText("Assistant <b>of</b> tests")).toBeVisible();
    await expect(page.getByText(/A program on this computer/)).toBeVisible();
    await expectAccessible(page);
    await shot(page, "connect");
    await connect(page, application, agent);

    const response = await application.response;
    expect(Object.fromEntries(response)).toEqual({
      code: expect.stringMatching(/^hcc_test_[0-9A-Za-z]{43}$/),
      state: "state-of-the-application",
      iss: productURL,
    });
    await application.finish();
    const token = application.tokens()?.access_token ?? "";
    expect(token).toMatch(/^hc_test_/);
    expect(application.tokens()).toMatchObject({ token_type: "Bearer", scope: "read pay" });
    expect(application.tokens()?.expires_in).toBeLessThanOrEqual(3_600);
    expect(application.tokens()?.refresh_token).toBeUndefined();
    // The token is created in the browser's worker, and the service gets it only encrypted.
    for (const secret of [token, response.get("code") ?? ""]) {
      expect(sent.filter((body) => body.includes(secret))).toEqual([]);
      expect(await page.content()).not.toContain(secret);
    }

    // Both versions of the protocol, with independent requests.
    for (const mode of ["legacy", "auto"] as const) {
      const client = await application.client(mode);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("pay_url");
      expect(await called(client, "get_balance")).toEqual({ balances: [{ asset: "USDG", above_zero: true }] });
      expect(await called(client, "get_policy")).toMatchObject({ hitl_threshold_usdg: 5 });
      expect(await called(client, "dry_run", { to: "@demo", amount: "7" })).toMatchObject({ outcome: "held" });
      await client.close();
    }
    const client = await application.client();
    const payment = { to: other.handle, amount: "1.25", idempotency_key: "once" };
    const send = () => called<{ outcome: string; transfer: { transfer_id: string } }>(client, "send_payment", payment);
    let paid = "";
    // A call waits 25 seconds at most, and may fail meanwhile. The same key then asks for the same payment.
    await expect(async () => {
      const { outcome, transfer } = await send();
      expect(outcome).toBe("confirmed");
      paid = transfer.transfer_id;
    }).toPass();
    const again = await send();
    expect(again.transfer.transfer_id).toBe(paid);
    expect(await called(client, "send_payment", { to: "@demo", amount: "6" })).toMatchObject({ outcome: "held" });
    expect(await called(client, "list_held_payments")).toMatchObject({ pending: [{ agent, to: "@demo" }] });

    const url = `${shop.url}/report`;
    expect(await called(client, "pay_url", { url, max: "0.10" })).toMatchObject({
      outcome: "priced",
      price: { amount: "0.05", asset: "USDG" },
      policy: { outcome: "allowed" },
    });
    expect(await refused(client, "pay_url", { url, max: "0.01", confirm: true })).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("more than max"),
    });
    // The same call is the same payment, also after the program gave up waiting.
    await expect(async () => {
      expect(await called(client, "pay_url", { url, max: "0.05", confirm: true })).toMatchObject({
        outcome: "paid",
        status: 200,
        body: "the report",
      });
    }).toPass();
    for (const private_ of [
      "https://10.0.0.1/",
      "https://169.254.169.254/latest",
      "http://shop.example/",
      `${shop.url}/elsewhere`,
    ]) {
      const refusal = await refused(client, "pay_url", { url: private_, max: "1", confirm: true });
      expect(refusal, private_).toMatchObject({ code: "invalid_request", message: expect.stringContaining("URL") });
    }

    const bearing = (path: string, body?: object) =>
      fetch(new URL(path, productURL), {
        method: body ? "POST" : "GET",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: body && JSON.stringify(body),
      });
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    expect((await bearing("/mcp/test", list)).status).toBe(200);
    // A message counts as one request. A token works neither as an API key nor on the other network.
    expect((await bearing("/mcp/test", [list, list])).status).toBe(400);
    for (const path of ["/v1/accounts/me", "/v1/transfers"]) expect((await bearing(path)).status).toBe(401);
    expect((await bearing("/mcp/live", list)).status).toBe(401);

    // An hour later, the next token knows this one's idempotency keys: a repeated call does not pay again.
    const next = await Application.start("Next token");
    try {
      await connect(page, next, agent, true);
      await next.finish();
      const repeated = await refused(await next.client(), "send_payment", payment);
      expect(repeated).toMatchObject({
        code: "outcome_unknown",
        message: expect.stringContaining("earlier connection"),
      });
    } finally {
      next.stop();
    }
    const received = (await other.client.transfers.listDecrypted()).transfers.map(({ amount }) => amount);
    expect(received.filter((amount) => amount === "1.25")).toHaveLength(1);

    await page.goto("/test/developers/keys");
    const row = page.getByRole("row", { name: /Assistant/ });
    await expect(row).toContainText(agent);
    await expect(row).toContainText("read, pay");
    await expect(page.getByRole("table", { name: "API keys" }).getByText(`…${token.slice(-4)}`)).toHaveCount(0);
    await expectAccessible(page);
    await shot(page, "connections");
    await row.getByRole("button", { name: /Disconnect/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await expectAnnounced(page, "Application disconnected");
    await expect(row).toBeHidden();
    expect((await bearing("/mcp/test", list)).status).toBe(401);
  } finally {
    application.stop();
    shop.close();
  }
});

test("a link that was tampered with is refused on our page, and leads nowhere; a person who cancels sends the application away; the page can't be framed", async ({
  ownerPage: page,
  owner,
}) => {
  const application = await Application.start("Unwanted");
  try {
    await owner.client.agents.create({ name: `c${Date.now().toString(36)}` });
    await application.ask();
    const link = (change: Record<string, string>) => {
      const url = new URL(application.authorizationUrl);
      for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
      return url.href;
    };
    const tampered: Record<string, string>[] = [
      { redirect_uri: "https://evil.example/callback" },
      { redirect_uri: `${application.redirectUrl}/x` },
      { client_id: "made-up" },
      { code_challenge_method: "plain" },
      { code_challenge: "" },
      { resource: "https://evil.example/mcp" },
      { response_type: "token" },
      { scope: "admin" },
    ];
    // The page is the server's, so its words are enough for all but one.
    for (const change of tampered) {
      const response = await page.request.get(link(change));
      const [html, where] = [await response.text(), JSON.stringify(change)];
      expect(html, where).toContain("This link can&#x27;t be used.");
      expect(html, where).not.toContain("It acts for one agent");
      expect(new URL(response.url()).origin, where).toBe(productURL);
    }
    const response = await page.request.get(link({}));
    expect(await response.text()).toContain("It acts for one agent");
    const headers = response.headers();
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    await page.goto(`${application.authorizationUrl}&redirect_uri=https%3A%2F%2Fevil.example`);
    await expect(page.getByText("This link can't be used.")).toBeVisible();
    await shot(page, "connect-refused");

    const arrive = await holdScripts(page);
    await page.goto(application.authorizationUrl, { waitUntil: "commit" });
    // Also before the page's scripts have run.
    await pressEarly(page.getByRole("button", { name: "Cancel" }));
    await arrive();
    expect(Object.fromEntries(await application.response)).toEqual({
      error: "access_denied",
      state: "state-of-the-application",
      iss: productURL,
    });
    await expect(page).toHaveTitle("Connected");
    await page.goto("/test/developers/keys");
    await expect(page.getByRole("heading", { name: "API keys" })).toBeVisible();
    await expect(page.getByText("Unwanted")).toHaveCount(0);
  } finally {
    application.stop();
  }
});
