import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { expect, productURL, stateOf, test } from "./fixtures";
import { signedIn, WalletSession } from "./wallet-session";

test("a wallet signs in, sees its sessions, and a revoked one ends with the next request", async ({ playwright }) => {
  const key = generatePrivateKey();
  const first = await WalletSession.open(playwright, productURL, { key });
  const second = await WalletSession.open(playwright, productURL, { key });
  const { sessions } = await (await second.get("/api/sessions")).json();
  expect(sessions).toHaveLength(2);
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  expect((await second.send("DELETE", `/api/sessions/${other.session_id}`)).status()).toBe(200);
  expect((await first.get("/api/sessions")).status()).toBe(401);
  expect((await second.get("/api/sessions")).status()).toBe(200);
});

test("signing out ends the session on the server, not only in the browser", async ({ playwright }) => {
  const session = await WalletSession.open(playwright, productURL);
  const stolen = await session.http.storageState();
  const { csrfToken } = await (await session.http.get("/api/auth/csrf")).json();
  await session.http.post("/api/auth/signout", { form: { csrfToken, json: "true" } });
  const attacker = await playwright.request.newContext({ baseURL: productURL, storageState: stolen });
  expect((await attacker.get("/api/sessions")).status()).toBe(401);
});

test("cookies are HttpOnly and SameSite=Lax", async ({ playwright }) => {
  const session = await WalletSession.open(playwright, productURL);
  const { cookies } = await session.http.storageState();
  const cookie = cookies.find(({ name }) => name.endsWith("next-auth.session-token"));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", secure: productURL.startsWith("https:") });
});

test("a signed message signs in once only", async ({ playwright }) => {
  const session = await WalletSession.open(playwright, productURL);
  const message = createSiweMessage({
    domain: new URL(productURL).host,
    address: session.wallet.address,
    uri: productURL,
    version: "1",
    chainId: 46630,
    nonce: await session.nonce(),
    issuedAt: new Date(),
  });
  const signature = await session.wallet.signMessage({ message });
  expect(await signedIn(await session.post(message, signature))).toBe(true);
  expect(await signedIn(await session.post(message, signature))).toBe(false);
});

test("refused: another domain, another URI, another chain, an unknown nonce, an expired message, another's signature", async ({
  playwright,
}) => {
  const session = await WalletSession.open(playwright, productURL);
  const refused = async (change: Parameters<WalletSession["signIn"]>[1], signer = session.wallet) =>
    expect(await signedIn(await session.signIn(productURL, change, signer)), JSON.stringify(Object.keys(change))).toBe(
      false,
    );
  await refused({ domain: "elsewhere.example" });
  await refused({ uri: "https://elsewhere.example" });
  await refused({ chainId: 1 });
  await refused({ nonce: "0123456789abcdef0123456789abcdef" });
  await refused({ expirationTime: new Date(Date.now() - 300_000) });
  await refused({ issuedAt: new Date(Date.now() + 600_000) });
  await refused({}, privateKeyToAccount(generatePrivateKey()));
});

test("another site cannot act with a session: a form's content type or a foreign origin is refused", async ({
  alice,
}) => {
  const { http } = alice.session;
  const url = "/api/kyc/verify";
  const form = await http.fetch(url, { method: "POST", data: "{}", headers: { "content-type": "text/plain" } });
  expect(form.status()).toBe(415);
  const headers = { "content-type": "application/json", origin: "https://elsewhere.example" };
  const script = await http.fetch(url, { method: "POST", data: "{}", headers });
  expect(script.status()).toBe(403);
});

test("a session alone moves no money, nor makes a key that does: what the wallet's keys make is missing", async ({
  alice,
  bob,
}) => {
  const before = await stateOf(alice);
  for (const path of ["/v1/transfers", "/api/withdrawals", "/api/make-available"]) {
    const response = await alice.session.send("POST", path, { to: bob.handle, amount: "1", asset: "USDG" });
    expect([path, response.status()]).toEqual([path, 400]);
  }
  const key = {
    label: "x",
    key_hash: `0x${"ef".repeat(32)}`,
    prefix: "hc_test_",
    last_four: "abcd",
    secret_version: 1,
  };
  const created = await alice.session.send("POST", "/api/keys", { ...key, flag_wrap: `0x${"00".repeat(72)}` });
  expect(created.status()).toBe(400);
  expect(await stateOf(alice)).toEqual(before);
});

test("401: every session route without a session", async ({ playwright }) => {
  const stranger = await playwright.request.newContext({ baseURL: productURL });
  const routes = [
    "/v1/accounts/me",
    "/api/accounts/resolve?to=@x",
    "/api/operations/op_x",
    "/api/ledger",
    "/v1/transfers",
    "/api/keys",
    "/api/sessions",
    "/v1/transfers/tr_x",
    "/api/keys/key_x/usage",
    "/v1/webhooks",
    "/v1/agents/transactions/pending",
    "/v1/webhooks/wh_x/deliveries",
    "/api/deliveries",
    "/api/deliveries/dlv_x",
    "/v1/events",
    "/v1/events/evt_x",
    "/api/stream",
    "/api/backups",
    "/api/shown-funds",
    "/api/agents/transactions",
    "/api/agents/transactions/count",
  ];
  for (const route of routes) expect((await stranger.get(route)).status(), route).toBe(401);
  const posts = [
    "/api/accounts",
    "/api/enrollments",
    "/api/faucet",
    "/api/deposits",
    "/api/available-balances/lock",
    "/api/available-balances/sync",
    "/api/available-balances/abandon",
    "/api/account-secret",
    "/api/account-secret/encrypted",
    "/api/payment-key",
    "/api/agents/transactions/reject",
    "/api/make-available",
    "/v1/accounts/me/balances",
    "/api/withdrawals",
    "/v1/transfers",
    "/api/keys",
    "/api/kyc/verify",
    "/v1/webhooks",
    "/v1/webhooks/wh_x/test",
    "/v1/webhooks/wh_x/rotate-secret",
    "/v1/webhooks/wh_x/redeliver",
    "/v1/webhooks/wh_x/replay/evt_x",
    "/api/backups",
    "/api/shown-funds",
  ];
  for (const route of posts) {
    const response = await stranger.post(route, {
      data: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(response.status(), route).toBe(401);
  }
});

test("a message signed for one browser signs in no other: the nonce is its asker's", async ({ playwright }) => {
  const victim = await WalletSession.open(playwright, productURL);
  const attacker = await WalletSession.open(playwright, productURL);
  const nonce = await victim.nonce();
  expect(await signedIn(await attacker.signIn(productURL, { nonce }, victim.wallet))).toBe(false);
  expect(await signedIn(await victim.signIn(productURL, { nonce }))).toBe(true);
});

test("next-auth's session endpoint says nothing of a session that has ended, and takes its cookie away", async ({
  playwright,
}) => {
  const key = generatePrivateKey();
  const [first, second] = [
    await WalletSession.open(playwright, productURL, { key }),
    await WalletSession.open(playwright, productURL, { key }),
  ];
  expect(await (await first.http.get("/api/auth/session")).json()).toMatchObject({ user: expect.anything() });
  const { sessions } = await (await second.get("/api/sessions")).json();
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  expect((await second.send("DELETE", `/api/sessions/${other.session_id}`)).status()).toBe(200);
  const response = await first.http.get("/api/auth/session");
  expect(await response.json()).toEqual({});
  expect(response.headers()["set-cookie"]).toMatch(/session-token=;.*Max-Age=0/);
});

test("of next-auth only what signing in needs is open, and none of its responses is kept", async ({ playwright }) => {
  const stranger = await playwright.request.newContext({ baseURL: productURL });
  for (const name of [
    "_log",
    "providers",
    "signin",
    "signin/siwe",
    "error",
    "verify-request",
    "callback",
    "toString",
  ]) {
    for (const method of ["GET", "POST"]) {
      const response = await stranger.fetch(`/api/auth/${name}`, { method });
      expect(response.status(), name).toBe(404);
      expect((await response.json()).error.code).toBe("not_found");
    }
  }
  expect((await stranger.get("/api/auth/callback/siwe")).status()).toBe(405);
  expect((await stranger.get("/api/auth/signout")).status()).toBe(405);
  for (const name of ["csrf", "session"]) {
    const response = await stranger.get(`/api/auth/${name}?callbackUrl=http://localhost:3000.evil.example`);
    expect(response.status()).toBe(200);
    expect(response.headers()["cache-control"]).toBe("no-store");
    const cookie = await stranger.get(`/api/auth/${name}`, { headers: { cookie: "next-auth.callback-url=a%20b" } });
    expect(cookie.status()).toBe(400);
    expect(cookie.headers()["set-cookie"]).toMatch(/callback-url=;.*Max-Age=0/);
  }
  const json = { data: "amt=77.31", headers: { "content-type": "application/json" } };
  expect((await stranger.post("/api/auth/callback/siwe", json)).status()).toBe(415);
});

test("signing out has the browser forget what it kept of the pages", async ({ playwright }) => {
  const { http } = await WalletSession.open(playwright, productURL);
  const { csrfToken } = await (await http.get("/api/auth/csrf")).json();
  const response = await http.post("/api/auth/signout", { form: { csrfToken, json: "true" } });
  expect(response.headers()["clear-site-data"]).toBe('"cache"');
  expect(response.headers()["cache-control"]).toBe("no-store");
});
