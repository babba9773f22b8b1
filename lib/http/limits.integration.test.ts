import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { encode } from "next-auth/jwt";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { POST as signUp } from "@/app/api/accounts/route";
import { POST as askFaucet } from "@/app/api/faucet/route";
import { GET as askNonce } from "@/app/api/siwe/nonce/route";
import { db, sql } from "@/db/client";
import { Gate, gated } from "@/db/gate";
import { inSlot } from "@/lib/balances/in-turn";
import { onBehalfOf } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { addressBucket } from "@/lib/base/rate-limit/address-bucket";
import { localBucket } from "@/lib/base/rate-limit/local-bucket";
import { createSession } from "@/lib/http/auth/create-session";
import { endSession } from "@/lib/http/auth/revoke-session";
import { sessionCookieName } from "@/lib/http/auth/session-cookie";
import { generateApiKey } from "@/lib/ledger/encrypted/api-key";
import { bareKey } from "@/test/accounts/bare-key";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { mostBetween } from "@/test/services/most-between";
import { AccountConcurrency, accountOf } from "./account-concurrency";
import { Admission, withPlace } from "./admission";
import type { Caller } from "./caller";
import {
  chargeCaller,
  type LimitHeaders,
  limitAddress,
  limitRequest,
  refusalOfSpent,
  refusalOfUnknown,
  refuseSpent,
} from "./limits";
import type { ToolOperations } from "./mcp/run-operations";
import { serveMcp } from "./mcp/serve-mcp";
import { nextAuthRoute } from "./next-auth-route";
import { route } from "./route";
import { serveStream } from "./serve-stream";
import { holdRefusal } from "./spent-keys";
import { walletOfCookie } from "./wallet-of-cookie";

const CHAIN = 46630;
const OF_KEY = 8;
const OF_ACCOUNT = 20;
/** Few, because so many come again in a minute. */
const OF_ADDRESS = 2;
/** What an address may ask for at once of RATE_LIMIT_PUBLIC: that of five seconds, and at least one. */
const OF_PUBLIC = 1;

let database: LocalDatabase;

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_POOL: "4",
    RATE_LIMIT_PER_SECOND: "0.0001",
    RATE_LIMIT_BURST: String(OF_KEY),
    RATE_LIMIT_ACCOUNT_PER_SECOND: "0.0001",
    RATE_LIMIT_ACCOUNT_BURST: String(OF_ACCOUNT),
    RATE_LIMIT_FAILED_KEYS: String(OF_ADDRESS),
    RATE_LIMIT_PUBLIC: String(OF_PUBLIC),
    RATE_LIMIT_SIGN_IN: String(OF_ADDRESS),
    RATE_LIMIT_SIGN_UP: String(OF_ADDRESS),
    RATE_LIMIT_FAUCET: String(OF_ADDRESS),
  });
  database = await startLocalDatabase();
  await stopClock();
});
afterAll(() => database?.stop());

/**
 * Stops the clock that fills the buckets, for connections from now on: however long a test waits for its turn, no bucket
 * is filled again. An address's limits are per minute, so those of a few requests would be after seconds.
 */
async function stopClock(): Promise<void> {
  await asOwner(async (owner) => {
    const [{ now } = { now: "" }] = await owner<{ now: string }[]>`select statement_timestamp()::text as now`;
    await owner.unsafe(`
      create schema stopped;
      grant usage on schema stopped to public;
      create function stopped.statement_timestamp() returns timestamptz language sql stable
        as $$ select '${now}'::timestamptz $$`);
  });
  const url = new URL(process.env.DATABASE_URL ?? "");
  url.searchParams.set("search_path", "stopped,pg_catalog,public");
  process.env.DATABASE_URL = url.href;
}

const root = (digit: string): Caller["root"] => `0x${digit.repeat(40)}`;
const key = (id: string, of: string): Caller => ({ kind: "api_key", id, chainId: CHAIN, root: root(of) });
const session = (id: string, of: string): Caller => ({ kind: "session", id, chainId: CHAIN, root: root(of) });

/** Makes this many requests. Returns how many were allowed, and the headers of the last response. */
async function ask(caller: Caller, requests: number): Promise<{ allowed: number; headers: LimitHeaders }> {
  const headers: LimitHeaders = {};
  let allowed = 0;
  for (let i = 0; i < requests; i++) {
    await chargeCaller(caller, headers, 1).then(
      () => {
        allowed += 1;
      },
      (error) => expect(error).toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) }),
    );
  }
  return { allowed, headers };
}

test("an account's keys and sessions share its quota above their own; another account has all of its own", async () => {
  expect((await ask(key("one", "a"), 10)).allowed).toBe(OF_KEY);
  const { allowed, headers } = await ask(session("two", "a"), 10);
  expect(allowed).toBe(OF_KEY);
  expect(headers["ratelimit-policy"]).toBe(`"session";q=${OF_KEY};w=80000`);
  // Further requests don't change that.
  const third = await ask(key("three", "a"), 6);
  expect(third.allowed).toBe(OF_ACCOUNT - 2 * OF_KEY);
  expect(third.headers["ratelimit-policy"]).toBe(`"account";q=${OF_ACCOUNT};w=200000`);
  expect((await ask(session("four", "a"), 3)).allowed).toBe(0);
  expect((await ask(key("five", "b"), 3)).allowed).toBe(3);
  expect((await ask({ ...key("six", "a"), chainId: 4663 }, 3)).allowed).toBe(3);
});

test("a request that costs more counts as so many", async () => {
  const caller = key("seven", "c");
  await chargeCaller(caller, {}, 5);
  expect((await ask(caller, 10)).allowed).toBe(OF_KEY - 5);
  await expect(chargeCaller(key("eight", "c"), {}, OF_KEY + 1)).rejects.toMatchObject({ code: "rate_limited" });
});

test("a key that has spent its limit is refused before it is looked up, until it may call again", async () => {
  const [caller, authorization] = [key("nine", "d"), "Bearer hc_test_nine"];
  await refuseSpent(authorization, {});
  await limitRequest(authorization, caller, {});
  await chargeCaller(caller, {}, OF_KEY - 1);
  await refuseSpent(authorization, {});
  const [limited, known]: LimitHeaders[] = [{}, {}];
  await expect(limitRequest(authorization, caller, limited ?? {})).rejects.toMatchObject({ code: "rate_limited" });
  await expect(refuseSpent(authorization, known ?? {})).rejects.toMatchObject({
    code: "rate_limited",
    retryAfter: expect.any(Number),
  });
  for (const headers of [limited, known]) {
    expect(headers?.["ratelimit-policy"]).toBe(`"api_key";q=${OF_KEY};w=80000`);
    expect(headers?.ratelimit).toMatch(/^"api_key";r=0;t=\d+$/);
  }
  // Another key of the same account, and a request without a key.
  await refuseSpent("Bearer hc_test_ten", {});
  await refuseSpent(null, {});
  // Once the bucket may have been refilled, the database has to say.
  localBucket("key:nine", performance.now()).emptyUntil = 0;
  await refuseSpent(authorization, {});
});

test("a tool's request with a token that has spent its limit is refused before the token is looked up", async () => {
  const [caller, authorization] = [key("eleven", "e"), "Bearer hc_test_eleven"];
  const call = async () => {
    const request = new Request("http://localhost/mcp/test", { method: "POST", headers: { authorization } });
    return (await serveMcp(request, "test", {} as ToolOperations)).status;
  };
  expect(await call()).toBe(401);
  await chargeCaller(caller, {}, OF_KEY);
  await expect(limitRequest(authorization, caller, {})).rejects.toMatchObject({ code: "rate_limited" });
  expect(await call()).toBe(429);
});

/** Runs `work` with a clock that only it moves. */
async function withoutTime(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

test("refusals wait, longer the more there are, but not any number of them at once", () =>
  withoutTime(async () => {
    let ended = 0;
    const hold = () =>
      holdRefusal("caller").then(() => {
        ended += 1;
      });
    const held = Array.from({ length: 4_000 }, hold);
    await hold();
    expect(ended).toBe(1);
    await vi.advanceTimersByTimeAsync(250);
    expect(ended).toBe(1 + 101);
    await vi.advanceTimersByTimeAsync(4_749);
    expect(ended).toBeLessThan(4_001);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(held);
    expect(ended).toBe(4_001);
  }));

test("refusals of an address wait as well, take no key's place, and give their own in the process back", async () => {
  const refused = (as: string) => limitAddress("public", "198.51.100.30", {}).catch(({ code }) => [code, as]);
  for (let i = 0; i < OF_PUBLIC; i++) expect(await refused("allowed")).toBeUndefined();
  const admission = new Admission(1);
  const response = Object.assign(new EventEmitter(), { writeHead: () => {} }) as unknown as ServerResponse;
  const owner = { kind: "address" as const, name: "198.51.100.30" };
  admission.enter("public", response, owner);
  // From here on the process knows without the database.
  const first = withPlace(admission, response, () => refused("first"));
  const other = Object.assign(new EventEmitter(), { writeHead: () => {} }) as unknown as ServerResponse;
  await expect.poll(() => admission.enter("public", other, owner)).toBeUndefined();
  expect(await first).toEqual(["rate_limited", "first"]);
  await withoutTime(async () => {
    const held = Array.from({ length: 4_000 }, () => refused("held"));
    const ofKey = holdRefusal("caller").then(() => "held");
    expect(await Promise.race([...held, ofKey, refused("at once")])).toEqual(["rate_limited", "at once"]);
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all([...held, ofKey]);
  });
});

test("at the MCP server an address's failures keep out no token that is valid, and all others", async () => {
  const address = "198.51.100.31";
  const post = (authorization?: string) =>
    refusalOfUnknown("failed_keys", { headers: authorization === undefined ? {} : { authorization }, address }, {});
  expect(await post()).toBeUndefined();
  for (let i = 0; i < OF_ADDRESS; i++) await limitAddress("failed_keys", address, {});
  await expect(limitAddress("failed_keys", address, {})).rejects.toMatchObject({ code: "rate_limited" });
  for (const none of [undefined, "Bearer none", `Bearer ${generateApiKey(CHAIN)}`]) {
    expect(await post(none), none).toMatchObject({ code: "rate_limited" });
  }
  expect(await post(`Bearer ${(await bareKey()).text}`)).toBeUndefined();
});

/** Returns the order in which requests are served when one account makes 40 and another makes 8. */
async function serve(job: (served: () => void) => Promise<unknown>): Promise<string[]> {
  const served: string[] = [];
  const ask = (account: string, times: number) =>
    onBehalfOf(account, () => Array.from({ length: times }, () => job(() => served.push(account))));
  await Promise.all([...ask("hostile", 40), ...ask("victim", 8)]);
  expect(served.filter((account) => account === "victim")).toHaveLength(8);
  return served;
}

test("connections: at most two of an account at full speed are served between two of another's", async () => {
  const one = gated(postgres(process.env.DATABASE_URL ?? "", { max: 1 }), new Gate(1));
  const served = await serve((begun) =>
    one.begin(async (tx) => {
      begun();
      await tx`select 1`;
    }),
  );
  await one.end();
  expect(mostBetween(served, "victim", "hostile")).toBeLessThanOrEqual(2);
});

test("slots for payments: at most two of an account at full speed are served between two of another's", async () => {
  const served = await serve((begun) =>
    inSlot(async () => {
      begun();
      await Promise.resolve();
    }),
  );
  expect(mostBetween(served, "victim", "hostile")).toBeLessThanOrEqual(2);
});

test("an account that holds all the connections it can leaves half of them to others", async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holding = onBehalfOf("hostile", () => Array.from({ length: 6 }, () => db().transaction(() => ended)));
  expect(await onBehalfOf("victim", () => sql()`select 1`.then((rows) => rows.length))).toBe(1);
  end();
  await Promise.all(holding);
});

/** Signs in a wallet; returns its `Cookie` header and the session's own token. */
async function signIn(wallet: Caller["root"]): Promise<{ cookie: string; token: string }> {
  const token = await createSession(wallet, { userAgent: "test", clientAddress: null });
  const jwt = await encode({ token: { sub: wallet, sessionToken: token }, secret: env().nextAuthSecret });
  return { cookie: `${sessionCookieName()}=${jwt}`, token };
}

test("a request whose key or session fails counts for its address, whatever it sends; a valid one there is served", async () => {
  const declared = { serialize: () => ({}), handle: async () => ({}) };
  const [byKey, bySession] = [route({ auth: "key", ...declared }), route({ auth: "wallet", ...declared })];
  const from = async (handle: typeof byKey, address: string, headers: Record<string, string>) => {
    const request = new Request("http://localhost/x", { headers: { ...headers, "x-halcyon-client": address } });
    return (await handle(request, { params: Promise.resolve({}) })).status;
  };
  const [good, ended] = [await signIn(root("e")), await signIn(root("f"))];
  await endSession(ended.token);
  const forged = `${sessionCookieName()}=${"a".repeat(200)}`;
  const failing: [typeof byKey, Record<string, string>, string][] = [
    [byKey, { authorization: "Bearer hc_test_made-up" }, "198.51.100.1"],
    [byKey, { authorization: `Bearer hc_live_${"0".repeat(52)}`, cookie: good.cookie }, "198.51.100.2"],
    [bySession, { cookie: forged }, "198.51.100.3"],
    [bySession, { cookie: ended.cookie }, "198.51.100.4"],
    [bySession, { authorization: "Bearer hc_test_made-up" }, "198.51.100.5"],
    [(request) => serveStream(request), { cookie: forged }, "198.51.100.6"],
  ];
  for (const [handle, headers, address] of failing) {
    const quota = handle === byKey ? OF_ADDRESS : OF_PUBLIC;
    for (let i = 0; i < quota; i++) expect(await from(handle, address, headers)).toBe(401);
    expect(await from(handle, address, headers)).toBe(429);
    expect(await from(bySession, address, { cookie: good.cookie })).toBe(200);
  }
});

test("a body is parsed when it is its account's turn: it takes no one's time before", async () => {
  // Time stands still, so that another account has always asked just now.
  const lines = new AccountConcurrency(100, 0, () => 0);
  const process = globalThis as typeof globalThis & { halcyonAccountConcurrency?: AccountConcurrency };
  const ofProcess = process.halcyonAccountConcurrency;
  process.halcyonAccountConcurrency = lines;
  try {
    const { cookie } = await signIn(root("7"));
    const caller = session("", "7");
    lines.enter("another account");
    const before = [lines.enter(accountOf(caller), caller), lines.enter(accountOf(caller), caller)];
    await Promise.all(before.map((slot) => slot.acquire()));
    const takesBody = route({ auth: "wallet", body: z.object({}), serialize: () => ({}), handle: async () => ({}) });
    const headers = { cookie, "content-type": "application/json" };
    const request = new Request("http://localhost/x", { method: "POST", headers, body: "no JSON" });
    const order: string[] = [];
    const responded = takesBody(request, { params: Promise.resolve({}) }).then(({ status }) => order.push(`${status}`));
    await expect.poll(() => lines.load(accountOf(caller), "session").waiting).toBe(1);
    order.push("its turn");
    for (const slot of before) slot.leave();
    await responded;
    expect(order).toEqual(["its turn", "400"]);
  } finally {
    process.halcyonAccountConcurrency = ofProcess;
  }
});

test("what signing in asks for counts for its address, but not with a valid session", async () => {
  const auth = nextAuthRoute(async () => Response.json({}));
  const from = async (endpoint: string, headers: Record<string, string>, address: string) => {
    const request = new Request(`http://localhost/api/auth/${endpoint}`, {
      headers: { ...headers, "x-halcyon-client": address },
    });
    return (await auth(request, { params: Promise.resolve({ nextauth: [endpoint] }) })).status;
  };
  const { cookie } = await signIn(root("8"));
  for (const [at, endpoint] of ["csrf", "session"].entries()) {
    const address = `198.51.100.${10 + at}`;
    for (let i = 0; i < OF_PUBLIC; i++) expect(await from(endpoint, {}, address)).toBe(200);
    expect(await from(endpoint, { cookie: `${sessionCookieName()}=made-up` }, address)).toBe(429);
    expect(await from(endpoint, { cookie }, address)).toBe(200);
  }
});

/** Sends a request to a route, as from this address. Returns its status. */
async function statusFrom(address: string, handle: ReturnType<typeof route>, path: string, init: RequestInit = {}) {
  const headers = { ...init.headers, "x-halcyon-client": address };
  const request = new Request(`http://localhost${path}`, { ...init, headers });
  return (await handle(request, { params: Promise.resolve({}) })).status;
}

test("sign-in is limited by address: its nonces, and attempts to sign in", async () => {
  const [address, other] = ["198.51.100.40", "198.51.100.41"];
  const nonce = (from: string) => statusFrom(from, askNonce, "/api/siwe/nonce");
  for (let i = 0; i < OF_ADDRESS; i++) expect(await nonce(address)).toBe(200);
  expect(await nonce(address)).toBe(429);
  const auth = nextAuthRoute(async () => Response.json({}));
  const attempt = async (from: string) => {
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-halcyon-client": from };
    const init = { method: "POST", headers, body: "message=x" };
    const params = Promise.resolve({ nextauth: ["callback", "siwe"] });
    return (await auth(new Request("http://localhost/api/auth/callback/siwe", init), { params })).status;
  };
  expect([await attempt(address), await attempt(other)]).toEqual([429, 200]);
});

test("sign-up and faucet are limited by address", async () => {
  const { cookie } = await signIn(root("6"));
  // None of these requests is valid, but they count.
  const init = { method: "POST", headers: { cookie, "content-type": "application/json" }, body: "{}" };
  for (const [path, handle] of [
    ["/api/accounts", signUp],
    ["/api/faucet", askFaucet],
  ] as const) {
    for (let i = 0; i < OF_ADDRESS; i++) expect(await statusFrom("198.51.100.42", handle, path, init), path).toBe(400);
    expect(await statusFrom("198.51.100.42", handle, path, init), path).toBe(429);
    expect(await statusFrom("198.51.100.43", handle, path, init), path).toBe(400);
  }
});

test("an IPv6 address is counted with its /64", async () => {
  const fail = (address: string) => limitAddress("failed_keys", address, {});
  for (let i = 0; i <= OF_ADDRESS; i++) await fail(`2001:db8:0:${i}::1`);
  for (let i = 0; i < OF_ADDRESS; i++) await fail(`2001:db8:ffff:1::${i + 1}`);
  await expect(fail("2001:db8:ffff:1:a:b:c:d")).rejects.toMatchObject({ code: "rate_limited" });
});

test("an address that has used up its limit is refused before its route is asked, until it may call again", async () => {
  const [spent, other] = ["198.51.100.20", "198.51.100.21"];
  expect(await refusalOfSpent("failed_keys", spent, {})).toBeUndefined();
  for (let i = 0; i < OF_ADDRESS; i++) await limitAddress("failed_keys", spent, {});
  await expect(limitAddress("failed_keys", spent, {})).rejects.toMatchObject({ code: "rate_limited" });
  const headers: LimitHeaders = {};
  expect(await refusalOfSpent("failed_keys", spent, headers)).toMatchObject({ code: "rate_limited" });
  expect(headers.ratelimit).toMatch(/^"failed_keys";r=0;/);
  expect(await refusalOfSpent("failed_keys", other, {})).toBeUndefined();
  expect(await refusalOfSpent("oauth", spent, {})).toBeUndefined();
  expect(await refusalOfSpent(undefined, spent, {})).toBeUndefined();
  localBucket(addressBucket("failed_keys", spent), performance.now()).emptyUntil = 0;
  expect(await refusalOfSpent("failed_keys", spent, {})).toBeUndefined();
});

test("only a cookie that this service made names a wallet, whether or not its session has ended", async () => {
  const { cookie, token } = await signIn(root("9"));
  expect(await walletOfCookie(`theme=dark; ${cookie}`)).toBe(root("9"));
  await endSession(token);
  expect(await walletOfCookie(cookie)).toBe(root("9"));
  const forged = await encode({ token: { sub: root("9") }, secret: "another secret of some length" });
  for (const text of ["x", "a.b.c.d.e", cookie.slice(cookie.indexOf("=") + 1, -4), forged]) {
    expect(await walletOfCookie(`${sessionCookieName()}=${text}`)).toBeUndefined();
  }
  expect(await walletOfCookie(undefined)).toBeUndefined();
});
