import { expect, productURL, test } from "./fixtures";
import { raw, withKey } from "./http";

const ME = "/v1/accounts/me";

async function expectUnauthorized(headers: Record<string, string>): Promise<void> {
  const response = await raw(productURL, ME, { headers });
  expect(response.status).toBe(401);
  expect(response.json.error?.code).toBe("unauthorized");
  expect(response.headers["www-authenticate"]).toBe("Bearer");
}

test("401: no key", () => expectUnauthorized({}));
test("401: Basic", () => expectUnauthorized({ authorization: "Basic dXNlcjpwYXNz" }));
test("401: Bearer without a key", () => expectUnauthorized({ authorization: "Bearer " }));

test("401: a key with a wrong checksum", ({ alice }) => {
  const last = alice.apiKey.endsWith("A") ? "B" : "A";
  return expectUnauthorized({ authorization: `Bearer ${alice.apiKey.slice(0, -1)}${last}` });
});

test("401: a well-formed key no one registered", () =>
  // A key from the ledger library's generator that was never registered.
  expectUnauthorized({ authorization: "Bearer hc_test_uJyhGDPy7ilxZfKmDq1rWhENE7ScQDpJRK1flSdeaaT35FrH3" }));

test("401: a session's cookie instead of a key", async ({ alice }) => {
  const response = await alice.session.http.get(ME);
  expect(response.status()).toBe(401);
});

test("401 from the very next request on: a revoked key", async ({ alice }) => {
  const { key_id, api_key } = await alice.client.keys.create({ label: "gone" });
  const call = withKey(productURL, api_key);
  expect((await call("GET", ME)).status).toBe(200);
  expect((await alice.session.send("DELETE", `/api/keys/${key_id}`)).status()).toBe(200);
  expect((await call("GET", ME)).status).toBe(401);
});

test("401: an expired key", async ({ alice }) => {
  const { api_key } = await alice.client.keys.create({ label: "short", expiresIn: "6s" });
  await expect.poll(async () => (await withKey(productURL, api_key)("GET", ME)).status).toBe(401);
});

test("a key is taken whatever the case of the scheme", async ({ alice }) => {
  const response = await raw(productURL, ME, { headers: { authorization: `bearer ${alice.apiKey}` } });
  expect(response.status).toBe(200);
});
