import { readFileSync } from "node:fs";
import { expect, productURL, settled, test } from "./fixtures";
import { withKey } from "./http";

const SCOPES = ["read", "pay", "agents", "approvals", "requests", "webhooks"] as const;

interface Described {
  "x-key-scope": (typeof SCOPES)[number];
}

/** Returns every operation of /v1, with unknown ids, and the scope it declares. */
function operations(): { method: string; path: string; scope: string }[] {
  const document: { paths: Record<string, Record<string, Described>> } = JSON.parse(
    readFileSync("docs/openapi.json", "utf8"),
  );
  const prefix: Record<string, string> = { account_id: "acct", transfer_id: "tr", transaction_id: "txn" };
  const idOf = (name: string) =>
    `${prefix[name] ?? { event_id: "evt", webhook_id: "wh" }[name]}_01ARZ3NDEKTSV4RRFFQ69G5FAV`;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name)),
      scope: described["x-key-scope"],
    })),
  );
}

for (const scope of SCOPES) {
  test(`a key of scope ${scope} reaches what declares it, and of everything else hears which scope it lacks`, async ({
    alice,
  }) => {
    const { api_key } = await alice.client.keys.create({ label: scope, scopes: [scope] });
    const call = withKey(productURL, api_key);
    const all = operations();
    expect(all.some((operation) => operation.scope === scope)).toBe(true);
    for (const operation of all) {
      const response = await call(operation.method, operation.path, operation.method === "GET" ? undefined : {});
      const lacks = response.json.error?.message?.includes("lacks the scope") ?? false;
      expect([operation.method, operation.path, lacks]).toEqual([
        operation.method,
        operation.path,
        operation.scope !== scope,
      ]);
      if (!lacks) continue;
      expect(response.status).toBe(403);
      expect(response.json.error).toMatchObject({ code: "key_forbidden" });
      expect(response.json.error?.message).toContain(`"${operation.scope}"`);
    }
  });
}

test("a key for payments pays and reads what became of it; one made without scopes does everything", async ({
  alice,
  bob,
}) => {
  const { api_key } = await alice.client.keys.create({ label: "shop", scopes: ["read", "pay"] });
  const paid = await withKey(productURL, api_key)("POST", "/v1/transfers", { to: bob.handle, amount: "1" });
  expect(paid.status).toBe(201);
  expect(await settled(alice, String(paid.json.transfer_id))).toMatchObject({ status: "confirmed" });
  const { keys } = await (await alice.session.get("/api/keys")).json();
  const scopesOf = (label: string) => keys.find((key: { label: string }) => key.label === label).scopes;
  expect(scopesOf("shop")).toEqual(["read", "pay"]);
  expect(scopesOf("e2e")).toBeNull();
});

test("a key that opens no budget holds no wrap of the secret, whatever its client sends", async ({ alice }) => {
  const body = {
    label: "greedy",
    key_hash: `0x${"cd".repeat(32)}`,
    prefix: "hc_test_",
    last_four: "abcd",
    wrap: `0x${"00".repeat(105)}`,
    flag_wrap: `0x${"00".repeat(72)}`,
    secret_version: 1,
    scopes: ["read", "webhooks"],
  };
  const response = await alice.session.send("POST", "/api/keys", body);
  expect(response.status()).toBe(400);
  expect((await response.json()).error).toMatchObject({ code: "invalid_request", param: "wrap" });
  for (const scopes of [[], ["everything"], ["read", "read"]]) {
    const refused = await alice.session.send("POST", "/api/keys", { ...body, wrap: null, scopes });
    expect(refused.status()).toBe(400);
    expect((await refused.json()).error.param).toMatch(/^scopes/);
  }
});

test("403 key_forbidden: a key used from an address its allow-list does not hold", async ({ alice }) => {
  const elsewhere = await alice.client.keys.create({
    label: "office",
    allowedIps: ["203.0.113.0/24", "2001:db8::/32"],
  });
  const refused = await withKey(productURL, elsewhere.api_key)("GET", "/v1/accounts/me");
  expect(refused.status).toBe(403);
  expect(refused.json.error?.code).toBe("key_forbidden");
  const here = await alice.client.keys.create({ label: "here", allowedIps: ["127.0.0.1/8", "::1"] });
  expect((await withKey(productURL, here.api_key)("GET", "/v1/accounts/me")).status).toBe(200);
  const { keys } = await (await alice.session.get("/api/keys")).json();
  expect(keys.find((key: { label: string }) => key.label === "here").allowed_ips).toEqual(["127.0.0.0/8", "::1/128"]);
});
