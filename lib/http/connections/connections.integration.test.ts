import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { connections, openOffers, tokenRequests } from "@/db/schema/connections";
import { apiKeys } from "@/db/schema/keys";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { setStrict } from "@/lib/accounts/set-strict";
import type { ContextAccount } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { listAuditEntries } from "@/lib/events/audit/list-entries";
import { ListAuditQuery } from "@/lib/events/audit/schema";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import { fromHex, randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { decryptToken, generateConnectionCode } from "@/lib/ledger/encrypted/connection-code";
import { cleanUp } from "@/lib/worker/clean-up";
import { createApiKey } from "@/test/accounts/api-key";
import { agentRow, ask, connected, consentTo, exchangeOf, REDIRECT } from "@/test/accounts/connection";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { claimRequest } from "./claim-request";
import { readClientId, registerClient } from "./client-id";
import { createConnection } from "./create-connection";
import { exchangeCode } from "./exchange-code";
import { listConnections } from "./list-connections";
import { OpenOffers } from "./open-offers";
import { readAuthorizationRequest } from "./read-authorization-request";
import { mcpResource } from "./resource";
import { revokeConnection } from "./revoke-connection";
import { revokeToken } from "./revoke-token";

/** As the origin in the tests' environment makes it. */
const RESOURCE = "http://localhost:3000/mcp/test";

let services: SharedServices;
let owner: Owner;
let agent: ContextAccount;

beforeAll(async () => {
  services = await startSharedServices();
  owner = await Owner.create(46630);
  agent = await agentRow(owner, "bot");
});
afterAll(() => services?.stop());

const acting = () => ({ ...owner.session, account: agent });
const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000);
const sender = { requestId: "req_1", clientAddress: null };

/**
 * Returns the context of a request with a token to the MCP server of the test network; with `audience` null, to `/v1`.
 */
async function bearing(token: string, now = new Date(), audience: string | null = mcpResource("test")) {
  return (await authenticateKey(`Bearer ${token}`, sender, "secret", now, audience)).context;
}
const refused = { code: "unauthorized" };
const burnt = { code: "invalid_grant" };

describe("a connection", () => {
  test("gives its application a token of one agent, once, that wraps what a key of the agent would", async () => {
    const asked = ask(owner);
    const secrets = { secret: randomBytes(32), flagKey: randomBytes(32) };
    const { body, code, token } = await consentTo(owner, agent, asked, secrets);
    const now = new Date();
    await createConnection(acting(), body, now);
    const issued = await exchangeCode(exchangeOf(asked, code), later(now, 10));
    expect(issued).toEqual({ access_token: token, token_type: "Bearer", expires_in: 3_590, scope: "read pay" });
    const ctx = await bearing(token);
    expect(ctx).toMatchObject({ account: { id: agent.id, type: "agent" }, scopes: ["read", "pay"] });
    expect((await ctx.unwrap()).secret).toEqual(secrets.secret);
  });

  test("works at the MCP server of its network alone; an API key works everywhere else", async () => {
    const { exchange } = await connected(owner, agent);
    const { access_token: token } = await exchangeCode(exchange);
    for (const audience of [null, mcpResource("live"), `${mcpResource("test")}/`, "https://other.example/mcp/test"]) {
      await expect(bearing(token, new Date(), audience)).rejects.toMatchObject(refused);
    }
    const key = await createApiKey(owner);
    await expect(bearing(key.text)).rejects.toMatchObject(refused);
    expect((await bearing(key.text, new Date(), null)).account.id).toBe(owner.account.id);
    expect((await listKeys(owner.session)).map(({ id }) => id)).toContain(key.id);
    expect((await listKeys(owner.session)).map(({ lastFour }) => lastFour)).not.toContain(token.slice(-4));
  });

  test("of an hour ends within it, and its code within a minute", async () => {
    const now = new Date();
    const first = await connected(owner, agent, now);
    await exchangeCode(first.exchange, later(now, 59));
    await bearing(first.token, later(now, 3_599));
    await expect(bearing(first.token, later(now, 3_600))).rejects.toMatchObject(refused);
    const second = await connected(owner, agent, now);
    await expect(exchangeCode(second.exchange, later(now, 60))).rejects.toMatchObject(burnt);
    await expect(bearing(second.token)).rejects.toMatchObject(refused);
  });

  test("ends after the time that the wallet signed, and after no other", async () => {
    const now = new Date();
    const asked = ask(owner);
    const { body, code, token } = await consentTo(owner, agent, asked, undefined, "30 days");
    for (const lasts of ["1 hour", "1 day"] as const)
      await expect(createConnection(acting(), { ...body, lasts }, now)).rejects.toMatchObject({ param: "signature" });
    await createConnection(acting(), body, now);
    const month = 30 * 86_400;
    expect(await exchangeCode(exchangeOf(asked, code), now)).toMatchObject({ expires_in: month });
    await bearing(token, later(now, month - 1));
    await expect(bearing(token, later(now, month))).rejects.toMatchObject(refused);
  });

  test("keeps nothing in the database that opens the token without its code, and nothing at all once that was used", async () => {
    const { id, code, exchange, token } = await connected(owner, agent);
    const read = async () => (await db().select().from(connections).where(eq(connections.id, id)))[0];
    const row = await read();
    expect(JSON.stringify(row)).not.toContain(token);
    expect(JSON.stringify(row)).not.toContain(code);
    const [key] = await db()
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.id, row?.keyId ?? ""));
    const ref = { scope: owner.scope, holder: agent.address };
    const encrypted = fromHex(row?.encryptedToken ?? "0x");
    expect(decryptToken(code, fromHex(key?.hash ?? "0x"), ref, encrypted)).toBe(token);
    expect(() => decryptToken(generateConnectionCode(46630), fromHex(key?.hash ?? "0x"), ref, encrypted)).toThrow();
    await exchangeCode(exchange);
    expect((await read())?.encryptedToken).toBeNull();
  });
});

describe("a code", () => {
  test.each([
    ["another verifier", { code_verifier: "x".repeat(43) }],
    ["no verifier", { code_verifier: "" }],
    ["another redirect URI", { redirect_uri: "http://127.0.0.1:33418/callback2" }],
    ["another resource", { resource: "https://other.example/mcp/test" }],
    ["no resource", { resource: "" }],
  ])("with %s is refused, and has leaked: its token ends", async (_, wrong) => {
    const { exchange, token } = await connected(owner, agent);
    await expect(exchangeCode({ ...exchange, ...wrong })).rejects.toMatchObject(burnt);
    await expect(exchangeCode(exchange)).rejects.toMatchObject(burnt);
    await expect(bearing(token)).rejects.toMatchObject(refused);
  });

  test("of one application is of no use to another", async () => {
    const { exchange, token } = await connected(owner, agent);
    const other = ask(owner, {}, "Another application").client.id;
    await expect(exchangeCode({ ...exchange, client_id: other })).rejects.toMatchObject(burnt);
    await expect(bearing(token)).rejects.toMatchObject(refused);
    await expect(exchangeCode({ ...exchange, client_id: "made-up" })).rejects.toMatchObject({ code: "invalid_client" });
  });

  test("that comes a second time ends the token it gave", async () => {
    const { exchange } = await connected(owner, agent);
    const { access_token: token } = await exchangeCode(exchange);
    await bearing(token);
    await expect(exchangeCode(exchange)).rejects.toMatchObject(burnt);
    await expect(bearing(token)).rejects.toMatchObject(refused);
  });

  test("that comes twice at once gives one token, and that one ends", async () => {
    const { exchange, token } = await connected(owner, agent);
    const both = await Promise.allSettled([exchangeCode(exchange), exchangeCode(exchange)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(bearing(token)).rejects.toMatchObject(refused);
  });

  test("that no one made is refused as any other, and so is another grant", async () => {
    const { exchange } = await connected(owner, agent);
    for (const code of [generateConnectionCode(46630), "", "hcc_test_x"]) {
      await expect(exchangeCode({ ...exchange, code })).rejects.toMatchObject(burnt);
    }
    const refresh = { ...exchange, grant_type: "refresh_token" };
    await expect(exchangeCode(refresh)).rejects.toMatchObject({ code: "unsupported_grant_type" });
    await exchangeCode(exchange);
  });
});

describe("the owner", () => {
  test("consents to exactly this: a signature over anything else connects nothing", async () => {
    const asked = ask(owner);
    const { body } = await consentTo(owner, agent, asked);
    const stranger = await Owner.create(46630);
    const others = await consentTo(stranger, agent, asked);
    const otherAgent = await agentRow(owner, "second");
    const attempts = [
      () => createConnection({ ...acting(), account: otherAgent }, body),
      () => createConnection(acting(), { ...body, signature: others.body.signature }),
      () => createConnection(acting(), { ...body, key_hash: toHex(randomBytes(32)) }),
      () => createConnection(acting(), { ...body, request: { ...asked.request, scope: "read" }, wrap: null }),
      () => createConnection(acting(), { ...body, request: ask(owner).request }),
      () => createConnection(acting(), { ...body, request: ask(owner, {}, "Trusted bank").request }),
      () => createConnection(owner.session, body),
      () => createConnection({ ...acting(), network: "live", chainId: 4663 }, body),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "invalid_request" });
    await createConnection(acting(), body);
    // Only once: a token with this hash exists.
    await expect(createConnection(acting(), body)).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("disconnects it, before and after it has its token; others find nothing to disconnect", async () => {
    const [waiting, working] = [await connected(owner, agent), await connected(owner, agent)];
    const { access_token: token } = await exchangeCode(working.exchange);
    const stranger = await Owner.create(46630);
    for (const id of [waiting.id, newId("connection"), "x"]) {
      const attempt = revokeConnection(id === waiting.id ? stranger.session : owner.session, id);
      await expect(attempt).rejects.toMatchObject({
        code: "not_found",
        message: expect.stringContaining("no connection"),
      });
    }
    await revokeConnection(owner.session, waiting.id);
    await expect(exchangeCode(waiting.exchange)).rejects.toMatchObject(burnt);
    const first = await revokeConnection(owner.session, working.id);
    await expect(bearing(token)).rejects.toMatchObject(refused);
    expect(await revokeConnection(owner.session, working.id)).toEqual(first);
    expect(await listConnections(stranger.session)).toEqual([]);
    const listed = await listConnections(owner.session);
    expect(listed.find(({ id }) => id === working.id)).toMatchObject({
      revokedAt: expect.any(Date),
      agentHandle: agent.handle,
    });
    const { entries } = await listAuditEntries(owner.session, ListAuditQuery.parse({}));
    expect(entries.map(({ row }) => row.action).slice(0, 2)).toEqual(["key.revoked", "key.revoked"]);
  });

  test("ends it as a key as well, and requiring client-signed payments takes its payments away", async () => {
    const [one, two] = [await connected(owner, agent), await connected(owner, agent)];
    const [a, b] = [await exchangeCode(one.exchange), await exchangeCode(two.exchange)];
    const { keyId } = await bearing(a.access_token);
    await revokeKey(owner.session, keyId);
    await expect(bearing(a.access_token)).rejects.toMatchObject(refused);
    const careful = await Owner.create(46630);
    const careless = await agentRow(careful, "bot");
    const third = await connected(careful, careless);
    const { access_token: token } = await exchangeCode(third.exchange);
    await setStrict(careful.session, true);
    await expect((await bearing(token)).unwrap()).rejects.toMatchObject({ code: "key_forbidden" });
    await (await bearing(b.access_token)).unwrap();
  });
});

test("an application gives its token back; no other application can, and an API key is no token", async () => {
  const { exchange, asked } = await connected(owner, agent);
  const { access_token: token } = await exchangeCode(exchange);
  await revokeToken(token, ask(owner, {}, "Another application").client.id);
  await bearing(token);
  const key = await createApiKey(owner);
  await revokeToken(key.text, asked.client.id);
  await bearing(key.text, new Date(), null);
  await revokeToken(token, asked.client.id);
  await expect(bearing(token)).rejects.toMatchObject(refused);
});

test("a token that may only read wraps nothing", async () => {
  const { exchange } = await connected(owner, agent, new Date(), ask(owner, { scope: "read" }));
  const { access_token: token, scope } = await exchangeCode(exchange);
  expect(scope).toBe("read");
  await expect((await bearing(token)).unwrap()).rejects.toMatchObject({ code: "key_forbidden" });
});

test("the clean-up takes encrypted tokens whose code has expired, connections of last month and old offers", async () => {
  const stale = later(new Date(), -3_600);
  const { id } = await connected(owner, agent, stale);
  const ancient = await connected(owner, agent, later(new Date(), -31 * 86_400));
  const offer = { agentId: agent.id, encrypted: "0x00" } as const;
  await db()
    .insert(openOffers)
    .values([
      { ...offer, name: "0x01", createdAt: later(new Date(), -31 * 86_400) },
      { ...offer, name: "0x02", createdAt: later(new Date(), -29 * 86_400) },
    ]);
  await cleanUp(later(new Date(), -1));
  const [row] = await db().select().from(connections).where(eq(connections.id, id));
  expect(row?.encryptedToken).toBeNull();
  expect(await db().select().from(connections).where(eq(connections.id, ancient.id))).toEqual([]);
  const left = await db().select({ name: openOffers.name }).from(openOffers).where(eq(openOffers.agentId, agent.id));
  expect(left).toEqual([{ name: "0x02" }]);
  await db().delete(openOffers).where(eq(openOffers.agentId, agent.id));
});

test("what an agent remembers of sellers is for all its tokens, and shows nothing without one", async () => {
  const flagKey = randomBytes(32);
  const context = (keyId: string, key = flagKey) => ({
    ...acting(),
    actor: "key" as const,
    keyId,
    scopes: null,
    unwrap: async (): Promise<never> => Promise.reject(new Error("not for this")),
    unwrapFlagKey: async () => key,
  });
  const name = `${agent.address}\nGET\nhttps://shop.example/report\n1234567`;
  const first = new OpenOffers(context("key_1"));
  await first.set(name, '{"extra":"7654321"}');
  expect(await first.get(name)).toBe('{"extra":"7654321"}');
  const second = new OpenOffers(context("key_2"));
  expect(await second.get(name)).toBe('{"extra":"7654321"}');
  expect([await second.add(name, "other"), await first.get(name)]).toEqual([false, '{"extra":"7654321"}']);
  expect(await new OpenOffers(context("key_3", randomBytes(32))).get(name)).toBeUndefined();
  const [row] = await db().select().from(openOffers).where(eq(openOffers.agentId, agent.id));
  const stored = Buffer.concat([fromHex(row?.name ?? "0x"), fromHex(row?.encrypted ?? "0x")]).toString("latin1");
  for (const text of ["shop.example", "1234567", "7654321"]) expect(stored).not.toContain(text);
  await second.delete(name);
  expect(await first.get(name)).toBeUndefined();
  const both = await Promise.all([first.add(name, "one"), second.add(name, "two")]);
  expect([both.toSorted(), await first.get(name)]).toEqual([[false, true], both[0] ? "one" : "two"]);
  await first.delete(name);
});

test("an idempotency key counts for one token of an agent, also when two bring it at once; others have theirs", async () => {
  const keyOf = async (holder: ContextAccount) => {
    const { exchange } = await connected(owner, holder);
    return bearing((await exchangeCode(exchange)).access_token);
  };
  const other = await agentRow(owner, "third");
  const [first, second, elsewhere] = [await keyOf(agent), await keyOf(agent), await keyOf(other)];
  const both = await Promise.all([claimRequest(first, "pay-1"), claimRequest(second, "pay-1")]);
  expect(both.toSorted()).toEqual([false, true]);
  const [mine, theirs] = both[0] ? [first, second] : [second, first];
  expect(await claimRequest(mine, "pay-1")).toBe(true);
  expect(await claimRequest(theirs, "pay-1")).toBe(false);
  expect(await claimRequest(theirs, "pay-2")).toBe(true);
  expect(await claimRequest(elsewhere, "pay-1")).toBe(true);
  await db()
    .update(tokenRequests)
    .set({ createdAt: later(new Date(), -49 * 3_600) })
    .where(eq(tokenRequests.agentId, agent.id));
  expect(await claimRequest(theirs, "pay-1")).toBe(true);
});

describe("an authorization request", () => {
  test("is read as its application made it: both scopes where it names none, `read` with `pay`", () => {
    const { client, request } = ask(owner, { state: "x" });
    const both = ["read", "pay"];
    expect(readAuthorizationRequest(request)).toEqual({
      client,
      redirectUri: REDIRECT,
      codeChallenge: request.code_challenge,
      scopes: both,
      state: "x",
      network: "test",
    });
    for (const [scope, scopes] of [
      ["pay", both],
      ["read pay", both],
      ["pay read", both],
      ["read", ["read"]],
      ["read pay offline_access", both],
      ["openid read", ["read"]],
    ] as const) {
      expect(readAuthorizationRequest(ask(owner, { scope }).request)).toMatchObject({ scopes });
    }
  });

  test("comes from another port of the own machine as well, which its code is bound to", async () => {
    const elsewhere = ask(owner, { redirect_uri: "http://127.0.0.1:50111/callback" });
    const { exchange, token } = await connected(owner, agent, new Date(), elsewhere);
    await expect(exchangeCode({ ...exchange, redirect_uri: REDIRECT })).rejects.toMatchObject(burnt);
    await expect(bearing(token)).rejects.toMatchObject(refused);
    const again = await connected(owner, agent, new Date(), elsewhere);
    expect((await exchangeCode(again.exchange)).access_token).toBe(again.token);
  });

  test.each<[string, Record<string, string | string[] | undefined>]>([
    ["an unknown client", { client_id: "x.y" }],
    ["no client", { client_id: undefined }],
    ["an address that was not registered", { redirect_uri: "http://127.0.0.1:33418/callbacks" }],
    ["the registered address with a query", { redirect_uri: `${REDIRECT}?x=1` }],
    ["no address", { redirect_uri: undefined }],
    ["a state without an end", { state: "x".repeat(2_000) }],
    ["a parameter that comes twice", { redirect_uri: [REDIRECT, "https://evil.example"] }],
  ])("with %s gets a sentence, and no redirect", (_, change) => {
    const request = readAuthorizationRequest({ ...ask(owner).request, ...change });
    expect(request).toEqual({ refusal: expect.any(String), back: null });
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ["an implicit grant", { response_type: "token" }, "unsupported_response_type"],
    ["PKCE by the method plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["no method", { code_challenge_method: undefined }, "invalid_request"],
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["a challenge that is none", { code_challenge: "x" }, "invalid_request"],
    ["no resource", { resource: undefined }, "invalid_target"],
    ["another resource", { resource: "https://evil.example/mcp/test" }, "invalid_target"],
    ["a resource that only begins like ours", { resource: `${RESOURCE}/x` }, "invalid_target"],
    ["no scope that there is", { scope: "agents offline_access" }, "invalid_scope"],
  ])("with %s gets a sentence, and a way to tell its application", (_, change, error) => {
    const back = `${REDIRECT}?${new URLSearchParams({ error, state: "x", iss: "http://localhost:3000" })}`;
    const request = readAuthorizationRequest({ ...ask(owner, { state: "x" }).request, ...change });
    expect(request).toEqual({ refusal: expect.any(String), back });
  });

  test("of an application keeps the redirect URIs that can be used, if there are any", () => {
    const cursor = [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://app.example/cb",
      "http://localhost:8787/cb",
    ];
    expect(registerClient({ client_name: null, redirect_uris: cursor }).redirectUris).toEqual(cursor.slice(1));
    const many = Array.from({ length: 10 }, (_, index) => `http://127.0.0.1:${33418 + index}/`);
    expect(registerClient({ redirect_uris: many }).redirectUris).toEqual(many);
    const none = { code: "invalid_redirect_uri" };
    expect(() => registerClient({ redirect_uris: cursor.slice(0, 1) })).toThrow(expect.objectContaining(none));
  });

  test("of a client id that was changed, or made under another pepper, is one of no client", () => {
    const { id } = ask(owner).client;
    const [text = "", mac = ""] = id.split(".");
    const other = Buffer.from(JSON.stringify(["Bank", ["https://evil.example/"]])).toString("base64url");
    const flipped = `${mac.slice(0, -2)}${mac.endsWith("AA") ? "BB" : "AA"}`;
    for (const forged of [`${other}.${mac}`, `${text}.${flipped}`, `${id}=`, `${id}.`, `.${mac}`, text, ""]) {
      expect(readClientId(forged)).toBeNull();
    }
    expect(readClientId(id)).toEqual(ask(owner).client);
  });
});
