import { expect, test } from "./fixtures";

test("200: GET /v1/accounts/me shows the key's account on the key's network", async ({ alice }) => {
  const response = await alice.call("GET", "/v1/accounts/me");
  expect(response.status).toBe(200);
  expect(response.json).toEqual({
    account_id: alice.accountId,
    handle: alice.handle,
    type: "personal",
    public_key: alice.address,
    kyc_status: "verified",
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    key: { key_id: alice.keyId, scopes: null },
  });
});
