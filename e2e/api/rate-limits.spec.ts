import { generatePrivateKey } from "viem/accounts";
import { startWeb, type WebProcess } from "@/test/services/start-web";
import { expect, type Party, test } from "./fixtures";
import { type RawAnswer, raw, withKey } from "./http";
import { WalletSession } from "./wallet-session";

const PER_SECOND = 5;
const BURST = 20;

const small = {
  RATE_LIMIT_PER_SECOND: String(PER_SECOND),
  RATE_LIMIT_BURST: String(BURST),
  RATE_LIMIT_SIGN_IN: "6",
  RATE_LIMIT_SIGN_UP: "2",
  RATE_LIMIT_FAUCET: "2",
  RATE_LIMIT_FAILED_KEYS: "5",
  RATE_LIMIT_PUBLIC: "144",
  TRUSTED_PROXIES: "1",
};

let webs: WebProcess[] = [];

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  webs = [await startWeb(small), await startWeb(small)];
  // Loads what is counted below, for another address: a few of these requests in turn take less than a window then.
  for (const index of webs.keys()) {
    await raw(url(index), "/v1/accounts/me", { headers: { authorization: "Bearer hc_test_wrong", ...from(9) } });
    await raw(url(index), "/api/siwe/nonce", { headers: from(9) });
    await raw(url(index), "/api/auth/callback/siwe", {
      method: "POST",
      headers: { ...FORM, ...from(9) },
      body: "message=x",
    });
  }
});
test.afterAll(() => Promise.all(webs.map((web) => web.stop())));

const statuses = (responses: RawAnswer[]) => responses.map(({ status }) => status);
/** Sends this many requests at once, to the processes in turn: while a test counts them, the quota refills. */
const atOnce = (count: number, send: (index: number) => Promise<RawAnswer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));
const refusedOf = (responses: RawAnswer[]) => responses.filter(({ status }) => status === 429);
const url = (index: number) => webs[index % webs.length]?.url ?? "";
/** A separate client address for each test, as a proxy in front would report it (RFC 5737). */
const from = (host: number) => ({ "x-forwarded-for": `198.51.100.${host}` });
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Creates a key for this test only, so that it does not use up other tests' quota. */
async function newKey(party: Party): Promise<string> {
  return (await party.client.keys.create({ label: "limits" })).api_key;
}

/** Sends calls concurrently, so that even a slow machine exhausts the quota. Returns a refusal. */
async function exhaust(call: ReturnType<typeof withKey>): Promise<RawAnswer> {
  for (;;) {
    const responses = await Promise.all(Array.from({ length: 2 * BURST }, () => call("GET", "/v1/accounts/me")));
    const refused = responses.find(({ status }) => status === 429);
    if (refused) return refused;
  }
}

function expectLimited(response: RawAnswer): void {
  expect(response.status).toBe(429);
  expect(response.json.error).toMatchObject({
    code: "rate_limited",
    doc_url: expect.stringMatching(/^https?:\/\/[^/]+\/docs\/errors\/rate_limited$/),
  });
  expect(Number(response.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect(response.headers["x-request-id"]).toMatch(/^req_/);
}

test("every response to a key says its quota, its window and what is left, refusals included", async ({ alice }) => {
  const good = await alice.call("GET", "/v1/accounts/me");
  const missing = await alice.call("GET", "/v1/transfers/tr_00000000000000000000000000");
  const malformed = await alice.call("POST", "/v1/transfers", "{");
  expect(statuses([good, missing, malformed])).toEqual([200, 404, 400]);
  for (const { headers } of [good, missing, malformed]) {
    expect(headers["ratelimit-policy"]).toBe('"api_key";q=200;w=2');
    expect(headers.ratelimit).toMatch(/^"api_key";r=\d+;t=[0-2]$/);
  }
});

test("a key has one quota over all processes: what one spends, the other refuses", async ({ alice }) => {
  const key = await newKey(alice);
  const start = performance.now();
  const responses = await Promise.all(
    Array.from({ length: 3 * BURST }, (_, i) => withKey(url(i), key)("GET", "/v1/accounts/me")),
  );
  const seconds = (performance.now() - start) / 1000;
  const passed = responses.filter(({ status }) => status === 200);
  expect(passed.length).toBeGreaterThanOrEqual(BURST - webs.length);
  expect(passed.length).toBeLessThanOrEqual(BURST + PER_SECOND * seconds + 1);
  for (const response of responses.filter(({ status }) => status !== 200)) {
    expectLimited(response);
    expect(response.headers["ratelimit-policy"]).toBe(`"api_key";q=${BURST};w=4`);
    expect(response.headers.ratelimit).toMatch(/^"api_key";r=0;t=[1-4]$/);
  }
});

test("after Retry-After a refused key is served again, on either process", async ({ alice }) => {
  const key = await newKey(alice);
  const calls = webs.map(({ url }) => withKey(url, key));
  for (const call of calls) {
    const response = await exhaust(call);
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(response.headers["retry-after"])));
    expect((await call("GET", "/v1/accounts/me")).status).toBe(200);
  }
});

test("a key's quota is its own: another key at the same address is served", async ({ alice }) => {
  const [spent, fresh] = [withKey(url(0), await newKey(alice)), await newKey(alice)];
  await exhaust(spent);
  expect((await withKey(url(0), fresh)("GET", "/v1/accounts/me")).status).toBe(200);
});

test("failing keys are limited by address, over all processes; a good key there is still served", async ({ bob }) => {
  const wrong = { authorization: `Bearer hc_test_${"0".repeat(52)}`, ...from(1) };
  const responses = await atOnce(8, (i) => raw(url(i), "/v1/accounts/me", { headers: wrong }));
  expect(statuses(responses).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  for (const response of refusedOf(responses)) expectLimited(response);
  const good = { authorization: `Bearer ${await newKey(bob)}`, ...from(1) };
  expect((await raw(url(0), "/v1/accounts/me", { headers: good })).status).toBe(200);
  const elsewhere = { ...wrong, ...from(2) };
  expect((await raw(url(0), "/v1/accounts/me", { headers: elsewhere })).status).toBe(401);
});

test("a made-up session cookie or key on a page counts for its address; a session there is served", async ({
  playwright,
}) => {
  const session = await WalletSession.open(playwright, url(0), { key: generatePrivateKey() });
  const cookie = (await session.http.storageState()).cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const forged = cookie.replace(/(session-token=[^;]*)[^;]{8}/, "$1AAAAAAAA");
  const attempts: Record<string, string>[] = [
    { cookie: forged },
    { authorization: `Bearer hc_live_${"0".repeat(52)}` },
  ];
  for (const [at, headers] of attempts.entries()) {
    const address = from(20 + at);
    const ask = (own: Record<string, string>) => raw(url(0), "/test/keys", { headers: { ...own, ...address } });
    // Many more than the quota of 144.
    const responses = await Promise.all(Array.from({ length: 300 }, () => ask(headers)));
    expect(refusedOf(responses).length).toBeGreaterThan(0);
    expect(refusedOf(responses).length).toBeLessThanOrEqual(300 - 144);
    expect((await ask({ cookie })).status).not.toBe(429);
  }
  await session.http.dispose();
});

test("an IPv6 address is counted with its /64", async () => {
  const at = (address: string) => ({ authorization: "Bearer hc_test_wrong", "x-forwarded-for": address });
  const apart = await atOnce(6, (i) => raw(url(i), "/v1/accounts/me", { headers: at(`2001:db8:0:${i}::1`) }));
  expect(new Set(statuses(apart))).toEqual(new Set([401]));
  const prefix = `2001:db8:ffff:${(Date.now() % 65_000).toString(16)}`;
  await atOnce(5, (i) => raw(url(i), "/v1/accounts/me", { headers: at(`${prefix}::${i + 1}`) }));
  expect((await raw(url(0), "/v1/accounts/me", { headers: at(`${prefix}:a:b:c:d`) })).status).toBe(429);
});

test("sign-in is limited by address: its nonces, and attempts to sign in", async () => {
  const responses = await atOnce(7, (i) => raw(url(i), "/api/siwe/nonce", { headers: from(3) }));
  expect(statuses(responses).sort()).toEqual([200, 200, 200, 200, 200, 200, 429]);
  for (const response of refusedOf(responses)) expectLimited(response);
  const form = { ...FORM, ...from(3) };
  const attempt = await raw(url(1), "/api/auth/callback/siwe", { method: "POST", headers: form, body: "message=x" });
  expectLimited(attempt);
});

test("sign-up and faucet are limited by address", async ({ playwright }) => {
  const session = await WalletSession.open(playwright, url(0), { key: generatePrivateKey() });
  // None of these requests is valid, but they count.
  for (const path of ["/api/accounts", "/api/faucet"]) {
    const responses = await Promise.all(Array.from({ length: 3 }, () => session.send("POST", path, {})));
    expect(responses.map((response) => response.status()).sort()).toEqual([400, 400, 429]);
  }
  await session.http.dispose();
});

test("a process with the product's own settings takes 200 at once and 100 a second", async ({ bob }) => {
  const key = await newKey(bob);
  // One of its own: the product's would turn other tests' requests away meanwhile.
  const web = await startWeb();
  webs.push(web);
  expect((await withKey(web.url, bob.apiKey)("GET", "/v1/accounts/me")).status).toBe(200);
  const start = performance.now();
  const responses = await atOnce(500, () => withKey(web.url, key)("GET", "/v1/accounts/me"));
  const seconds = (performance.now() - start) / 1000;
  const passed = responses.filter(({ status }) => status === 200).length;
  // On a slow machine some wait too long behind the others of the account, after the key's quota has let them pass.
  const waited = responses.filter(({ json }) => json.error?.message.includes("are under way")).length;
  expect(passed + waited).toBeGreaterThanOrEqual(190);
  expect(passed).toBeGreaterThanOrEqual(50);
  expect(passed).toBeLessThanOrEqual(Math.ceil(201 + 100 * seconds));
});
