import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { flushKeyUse } from "@/lib/accounts/usage/flush-key-use";
import { newId } from "@/lib/base/ids";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { generateApiKey, hashApiKey } from "@/lib/ledger/encrypted/api-key";
import {
  anyoneCalls,
  callerWith,
  keyCaller,
  type RouteCall,
  type RouteResponse,
  sessionCaller,
} from "@/test/accounts/api-caller";
import { strayBlindKey, strayKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { everythingStored } from "@/test/services/everything-stored";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

const ME = "/v1/accounts/me";
let services: SharedServices;
let owner: Owner;
let call: RouteCall;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  owner = await Owner.create(46630);
  call = await sessionCaller(owner);
});

interface Entry {
  key_id: string;
  requests: number;
  last_used_at: string | null;
}
const entryOf = async (id: string) => {
  const { json, text } = await call("GET", "/api/keys");
  expect(text).not.toMatch(/wrap|hash/);
  return (json.keys as Entry[]).find(({ key_id }) => key_id === id);
};

test("keys are listed without their texts, with their scopes, addresses and use", async () => {
  const text = generateApiKey(46630);
  const key = { ...strayKey(), key_hash: toHex(hashApiKey(text)), last_four: text.slice(-4) };
  const narrow = { scopes: ["read", "pay"], allowed_ips: ["127.0.0.1/8", "::1"] };
  const wide = await call("POST", "/api/keys", key);
  const narrowed = await call("POST", "/api/keys", { ...strayKey(), ...narrow });
  expect([wide.status, narrowed.status]).toEqual([201, 201]);
  expect((await callerWith(text)("GET", ME)).status).toBe(200);
  // A timer does it otherwise.
  await flushKeyUse();
  expect(await entryOf(String(wide.json.key_id))).toMatchObject({
    ...{ label: "test", prefix: "hc_test_", last_four: text.slice(-4), scopes: null, allowed_ips: null },
    ...{ revoked_at: null, requests: 1, last_used_at: expect.stringMatching(/Z$/) },
  });
  expect(await entryOf(String(narrowed.json.key_id))).toMatchObject({
    ...{ scopes: ["read", "pay"], allowed_ips: ["127.0.0.0/8", "::1/128"], requests: 0, last_used_at: null },
  });
  expect((await call("GET", "/api/keys")).text).not.toContain(text);
});

test("the list says which keys are blind, also after they are revoked, and shows nothing that they wrap", async () => {
  const [plain, blind] = [
    await call("POST", "/api/keys", strayKey()),
    await call("POST", "/api/keys", strayBlindKey()),
  ];
  expect((await call("GET", "/api/keys")).json.blind_since).toBeNull();
  expect([plain.json.kind, blind.json.kind]).toEqual(["plain", "blind"]);
  const id = String(blind.json.key_id);
  await call("DELETE", `/api/keys/${id}`);
  expect(await entryOf(id)).toMatchObject({ kind: "blind", revoked_at: expect.any(String) });
  const log = await call("GET", `/v1/audit-log?target=${id}`);
  expect(log.json.entries).toMatchObject([{ action: "key.revoked" }, { after: { kind: "blind" } }]);
});

test("a key that is wrong is refused by the name of its field, and there is none", async () => {
  const wrong: [param: string, change: object][] = [
    ["prefix", { prefix: "hc_live_" }],
    ["expires_at", { expires_at: "2020-01-01T00:00:00Z" }],
    // A key that opens no available balance holds no wrap of the secret, whatever its client sends; any other holds
    // one.
    ["wrap", { scopes: ["read", "webhooks"] }],
    ["wrap", { wrap: null }],
    ["scopes", { scopes: [], wrap: null }],
    ["scopes.0", { scopes: ["everything"], wrap: null }],
    ["scopes", { scopes: ["read", "read"], wrap: null }],
    // A blind key wraps no secret that decrypts, and is whole; what signs nothing, or by itself, is plain.
    ["wrap", { blind: strayBlindKey().blind }],
    ["blind.home_wrap", { wrap: null, blind: { ...strayBlindKey().blind, home_wrap: undefined } }],
    ["blind", { ...strayBlindKey(), scopes: ["read"] }],
    ["blind", { ...strayBlindKey(), schedule: newId("schedule") }],
  ];
  for (const [param, change] of wrong) {
    const before = await everythingStored();
    const { status, json } = await call("POST", "/api/keys", { ...strayKey(), ...change });
    expect([status, json.error]).toMatchObject([400, { code: "invalid_request", param }]);
    expect(await everythingStored()).toEqual(before);
  }
  const days = await call("GET", `/api/keys/${(await keyCaller(owner.session)).id}/usage?days=0`);
  expect([days.status, days.json.error?.param]).toEqual([400, "days"]);
});

test("revoking is repeatable, ends the key with its next request, and is the owner's alone", async () => {
  const { id, call: byKey } = await keyCaller(owner.session);
  const stranger = await sessionCaller(await Owner.create(46630));
  expect((await stranger("DELETE", `/api/keys/${id}`)).status).toBe(404);
  expect((await stranger("GET", `/api/keys/${id}/usage`)).status).toBe(404);
  expect((await byKey("GET", ME)).status).toBe(200);
  const first = await call("DELETE", `/api/keys/${id}`);
  expect((await byKey("GET", ME)).status).toBe(401);
  expect((await call("DELETE", `/api/keys/${id}`)).json).toEqual(first.json);
  const log = await call("GET", `/v1/audit-log?target=${id}`);
  expect(log.json.entries).toMatchObject([
    { action: "key.revoked", actor: { type: "session" } },
    { action: "key.created", after: { label: "test", agent: null, expires_at: null } },
  ]);
});

test("no key, another scheme, a damaged and an unregistered key and a session are unauthorized, by a challenge for a key", async () => {
  const text = generateApiKey(46630);
  const refused: (() => Promise<RouteResponse>)[] = [
    () => anyoneCalls("GET", ME),
    // What only keys may do.
    () => call("POST", "/v1/test_helpers/clock/advance", {}),
    ...["Basic dXNlcjpwYXNz", "Bearer ", `Bearer ${text}`, `Bearer ${text.slice(0, -1)}`].map(
      (authorization) => () => anyoneCalls("GET", ME, undefined, { authorization }),
    ),
  ];
  for (const request of refused) {
    const { status, json, headers } = await request();
    expect([status, json.error?.code, headers["www-authenticate"]]).toEqual([401, "unauthorized", "Bearer"]);
  }
});

test("a key is taken whatever the case of the scheme, and from the addresses of its allow-list alone", async () => {
  const text = generateApiKey(46630);
  const key = { key_hash: toHex(hashApiKey(text)), allowed_ips: ["203.0.113.0/24", "2001:db8::/32"] };
  expect((await call("POST", "/api/keys", { ...strayKey(), ...key })).status).toBe(201);
  const from = (clientAddress: string | null) =>
    authenticateKey(`bearer ${text}`, { requestId: "req_1", clientAddress }, "nothing");
  for (const address of ["203.0.113.9", "2001:db8::1"]) {
    expect((await from(address)).context.account.id).toBe(owner.account.id);
  }
  for (const address of ["203.0.114.9", "127.0.0.1", "2001:db9::1", null]) {
    await expect(from(address)).rejects.toMatchObject({ code: "key_forbidden" });
  }
});
