import { liveKeyOf } from "../account";
import { expect, productURL, test } from "./fixtures";
import { withKey } from "./http";

test("keys are listed without their texts, with their use", async ({ alice }) => {
  await alice.call("GET", "/v1/accounts/me");
  const text = await (await alice.session.get("/api/keys")).text();
  expect(text).not.toContain(alice.apiKey);
  expect(text).not.toMatch(/wrap|hash/);
  const entry = () =>
    alice.session
      .get("/api/keys")
      .then((response) => response.json())
      .then(({ keys }) => keys.find(({ key_id }: { key_id: string }) => key_id === alice.keyId));
  expect(await entry()).toMatchObject({
    label: "e2e",
    prefix: "hc_test_",
    last_four: alice.apiKey.slice(-4),
    revoked_at: null,
  });
  // Counts are written in the background, at most a minute late.
  await expect.poll(async () => (await entry()).requests, { timeout: 140_000 }).toBeGreaterThan(0);
  expect((await entry()).last_used_at).not.toBeNull();
});

test("revoking is repeatable, and another account's key is not found", async ({ alice, bob }) => {
  const { key_id } = await alice.client.keys.create({ label: "twice" });
  const foreign = await bob.session.send("DELETE", `/api/keys/${key_id}`);
  expect(foreign.status()).toBe(404);
  const first = await (await alice.session.send("DELETE", `/api/keys/${key_id}`)).json();
  const second = await (await alice.session.send("DELETE", `/api/keys/${key_id}`)).json();
  expect(second).toEqual(first);
});

test("a key of one network is refused by the other's prefix and sees nothing of the other", async ({ alice }) => {
  const body = {
    label: "wrong",
    key_hash: `0x${"ab".repeat(32)}`,
    prefix: "hc_live_",
    last_four: "abcd",
    wrap: `0x${"00".repeat(105)}`,
    flag_wrap: `0x${"00".repeat(72)}`,
    secret_version: 1,
  };
  const response = await alice.session.send("POST", "/api/keys", body);
  expect(response.status()).toBe(400);
  expect((await response.json()).error.param).toBe("prefix");
  const past = { ...body, prefix: "hc_test_", expires_at: "2020-01-01T00:00:00Z" };
  expect((await (await alice.session.send("POST", "/api/keys", past)).json()).error.param).toBe("expires_at");
});

test("identity: magic names end otherwise, per network", async ({ bob }) => {
  const verify = async (full_name?: string) =>
    (await bob.session.send("POST", "/api/kyc/verify", { full_name })).json();
  expect(await verify("Sandbox Pending")).toEqual({ kyc_status: "pending" });
  expect((await bob.call("GET", "/v1/accounts/me")).json.kyc_status).toBe("pending");
  expect(await verify("Sandbox Enhanced")).toEqual({ kyc_status: "enhanced" });
  expect(await verify("Sandbox Rejected")).toEqual({ kyc_status: "unverified" });
  expect(await verify()).toEqual({ kyc_status: "verified" });
});

test("the faucet gives any amount up to 10,000,000, and its operation belongs to its wallet", async ({
  alice,
  bob,
}) => {
  const over = await alice.session.send("POST", "/api/faucet", { amount: "10000000.000001" });
  expect(over.status()).toBe(400);
  const given = await alice.session.send("POST", "/api/faucet", { amount: "0.000001" });
  expect(given.status()).toBe(202);
  const { operation_id } = await given.json();
  const path = `/api/operations/${operation_id}`;
  await expect.poll(async () => (await (await alice.session.get(path)).json()).status).toBe("confirmed");
  expect((await bob.session.get(path)).status()).toBe(404);
});

test("a live key's payments need a verified identity", async ({ alice, bob }) => {
  const api_key = await liveKeyOf(alice);
  const response = await withKey(productURL, api_key)("POST", "/v1/transfers", { to: bob.handle, amount: "1" });
  expect(response.status).toBe(403);
  expect(response.json.error?.code).toBe("kyc_required");
});
