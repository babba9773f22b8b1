import { generatePrivateKey } from "viem/accounts";
import { startWeb } from "@/test/services/start-web";
import { expect, test } from "./fixtures";
import { raw } from "./http";
import { WalletSession } from "./wallet-session";

/** How many requests for pages an address may make at once. */
const OF_PAGES = 144;

test("every response to a key says its quota, its window and what is left, refusals included", async ({ alice }) => {
  const good = await alice.call("GET", "/v1/accounts/me");
  const missing = await alice.call("GET", "/v1/transfers/tr_00000000000000000000000000");
  const malformed = await alice.call("POST", "/v1/transfers", "{");
  expect([good, missing, malformed].map(({ status }) => status)).toEqual([200, 404, 400]);
  for (const { headers } of [good, missing, malformed]) {
    expect(headers["ratelimit-policy"]).toBe('"api_key";q=200;w=2');
    expect(headers.ratelimit).toMatch(/^"api_key";r=\d+;t=[0-2]$/);
  }
});

test("a made-up session cookie or key on a page counts for its address; a session there is served", async ({
  playwright,
}) => {
  const web = await startWeb({ RATE_LIMIT_PUBLIC: String(OF_PAGES), TRUSTED_PROXIES: "1" });
  try {
    const session = await WalletSession.open(playwright, web.url, { key: generatePrivateKey() });
    const cookie = (await session.http.storageState()).cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const forged = cookie.replace(/(session-token=[^;]*)[^;]{8}/, "$1AAAAAAAA");
    const attempts: Record<string, string>[] = [
      { cookie: forged },
      { authorization: `Bearer hc_live_${"0".repeat(52)}` },
    ];
    for (const [at, headers] of attempts.entries()) {
      // A client's address as a proxy in front would report it (RFC 5737).
      const address = { "x-forwarded-for": `198.51.100.${20 + at}` };
      const ask = (own: Record<string, string>) => raw(web.url, "/test/keys", { headers: { ...own, ...address } });
      // Many more than its quota.
      const responses = await Promise.all(Array.from({ length: 300 }, () => ask(headers)));
      const refused = responses.filter(({ status }) => status === 429).length;
      expect(refused).toBeGreaterThan(0);
      expect(refused).toBeLessThanOrEqual(300 - OF_PAGES);
      expect((await ask({ cookie })).status).not.toBe(429);
    }
    await session.http.dispose();
  } finally {
    await web.stop();
  }
});
