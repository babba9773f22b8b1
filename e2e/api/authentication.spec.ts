import { expect, productURL, test } from "./fixtures";
import { raw, withKey } from "./http";

const ME = "/v1/accounts/me";

async function expectUnauthorized(headers: Record<string, string>): Promise<void> {
  const response = await raw(productURL, ME, { headers });
  expect(response.status).toBe(401);
  expect(response.json.error?.code).toBe("unauthorized");
  expect(response.headers["www-authenticate"]).toBe("Bearer");
}

test("401 with a challenge: no key, a key no one registered, a session's cookie instead of a key", async ({
  alice,
}) => {
  await expectUnauthorized({});
  // A key from the ledger library's generator that was never registered.
  await expectUnauthorized({ authorization: "Bearer hc_test_uJyhGDPy7ilxZfKmDq1rWhENE7ScQDpJRK1flSdeaaT35FrH3" });
  // Of what only keys may do.
  expect((await alice.session.http.post("/v1/test_helpers/clock/advance")).status()).toBe(401);
});

test("401 from the very next request on: a revoked key; the log says from where it was revoked", async ({ alice }) => {
  const { key_id, api_key } = await alice.client.keys.create({ label: "gone" });
  const call = withKey(productURL, api_key);
  expect((await call("GET", ME)).status).toBe(200);
  expect((await alice.session.send("DELETE", `/api/keys/${key_id}`)).status()).toBe(200);
  expect((await call("GET", ME)).status).toBe(401);
  const { json } = await alice.call("GET", `/v1/audit-log?target=${key_id}&action=key.revoked`);
  expect(json.entries).toMatchObject([{ client_address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) }]);
});
