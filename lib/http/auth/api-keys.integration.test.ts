import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, sql } from "@/db/client";
import { accountNetworks, accounts } from "@/db/schema/accounts";
import { apiKeys } from "@/db/schema/keys";
import { createKey } from "@/lib/accounts/keys/create-key";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { flushKeyUse } from "@/lib/accounts/usage/flush-key-use";
import { recordKeyUse } from "@/lib/accounts/usage/record-key-use";
import type { ContextAccount, SessionContext } from "@/lib/base/context/context";
import type { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import { beginAttempt, type RequestAttempt, type StoredResponse } from "@/lib/http/idempotency/begin-attempt";
import { PROCESS_LOCKS, thisProcess } from "@/lib/http/idempotency/this-process";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { generateApiKey, hashApiKey, wrapFlagKey, wrapSecret } from "@/lib/ledger/encrypted/api-key";
import { cleanUp } from "@/lib/worker/clean-up";
import { strayKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

let services: SharedServices;
let owner: Owner;

beforeAll(async () => {
  services = await startSharedServices();
  owner = await Owner.create(46630);
});
afterAll(() => services?.stop());

const secret = randomBytes(32);
const flagKey = randomBytes(32);

const soon = () => new Date(Date.now() + 60_000);

async function newKey(expiresAt?: Date, holder: ContextAccount = owner.account) {
  const text = generateApiKey(46630);
  const holding = { scope: owner.scope, holder: holder.address, version: 1 };
  const session: SessionContext = { ...owner.session, account: holder };
  const record = await createKey(session, {
    label: "test",
    key_hash: toHex(hashApiKey(text)),
    prefix: "hc_test_",
    last_four: text.slice(-4),
    wrap: toHex(wrapSecret(text, holding, { secret, authority: randomBytes(32), heldPublicKey: randomBytes(32) })),
    flag_wrap: toHex(wrapFlagKey(text, holding, flagKey)),
    secret_version: 1,
    expires_at: expiresAt,
  });
  return { id: record.id, bearer: `Bearer ${text}`, text };
}

/** Inserts the row of an agent, without enrolling it on a ledger. */
async function newAgent(name: string): Promise<ContextAccount> {
  const { account } = owner;
  const agent = {
    id: newId("account"),
    handle: `${account.handle}/${name}`,
    address: toHex(randomBytes(20)),
    type: "agent" as const,
    createdAt: new Date(),
  };
  await db()
    .insert(accounts)
    .values({ ...agent, ownerId: account.id, chainId: 46630 });
  return { ...agent, rootId: account.id, rootAddress: account.address };
}

describe("an API key", () => {
  it("opens what its route was granted, and nothing else", async () => {
    const { bearer } = await newKey();
    const paying = (await authenticateKey(bearer, { requestId: "req_1", clientAddress: null }, "secret")).context;
    expect((await paying.unwrap()).secret).toEqual(secret);
    await expect(paying.unwrapFlagKey()).rejects.toThrow("may not open");
    const balances = (await authenticateKey(bearer, { requestId: "req_2", clientAddress: null }, "flag")).context;
    expect(await balances.unwrapFlagKey()).toEqual(flagKey);
    await expect(balances.unwrap()).rejects.toThrow("may not open");
    const reading = (await authenticateKey(bearer, { requestId: "req_3", clientAddress: null }, "nothing")).context;
    await expect(reading.unwrap()).rejects.toThrow("may not open");
    await expect(reading.unwrapFlagKey()).rejects.toThrow("may not open");
  });

  it("wraps nothing any more once it has expired and the clean-up ran; a key that continues keeps both wraps", async () => {
    const later = new Date(Date.now() + 60_000);
    const [expired, valid, endless] = [await newKey(later), await newKey(later), await newKey()];
    // In the past, because a clean-up at a later time would delete what other tests of this database still use.
    const end = new Date(Date.now() - 1_000);
    await db().update(apiKeys).set({ expiresAt: end }).where(eq(apiKeys.id, expired.id));
    const wraps = ({ id }: { id: string }) =>
      db().select({ wrap: apiKeys.wrap, flagWrap: apiKeys.flagWrap }).from(apiKeys).where(eq(apiKeys.id, id));
    const [, ...kept] = await Promise.all([expired, valid, endless].map(wraps));
    await cleanUp(new Date(end.getTime() - 1));
    expect(await wraps(expired)).toEqual([{ wrap: expect.any(String), flagWrap: expect.any(String) }]);
    await cleanUp(new Date(end.getTime() + 1));
    expect(await wraps(expired)).toEqual([{ wrap: null, flagWrap: null }]);
    expect(await Promise.all([valid, endless].map(wraps))).toEqual(kept);
  });

  it("ends with its revocation, which deletes both wraps, also for a request already under way", async () => {
    const { id, bearer } = await newKey();
    const { context } = await authenticateKey(bearer, { requestId: "req_1", clientAddress: null }, "secret");
    await revokeKey(owner.session, id);
    await expect(context.unwrap()).rejects.toMatchObject({ code: "unauthorized" });
    await expect(authenticateKey(bearer, { requestId: "req_2", clientAddress: null }, "secret")).rejects.toMatchObject({
      code: "unauthorized",
    });
    expect(
      await sql()`select 1 from api_keys where id = ${id} and (wrap is not null or flag_wrap is not null)`,
    ).toEqual([]);
  });

  it("ends at its expiry", async () => {
    const expiry = new Date(Date.now() + 60_000);
    const { bearer } = await newKey(expiry);
    await authenticateKey(
      bearer,
      { requestId: "req_1", clientAddress: null },
      "nothing",
      new Date(expiry.getTime() - 1),
    );
    await expect(
      authenticateKey(bearer, { requestId: "req_2", clientAddress: null }, "nothing", expiry),
    ).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("keeps to itself among requests that arrive together, which share a look-up", async () => {
    const [first, second, revoked, expired] = [await newKey(), await newKey(), await newKey(), await newKey(soon())];
    await revokeKey(owner.session, revoked.id);
    const unknown = `Bearer ${generateApiKey(46630)}`;
    const later = new Date(soon().getTime() + 60_000);
    const use = (bearer: string, now = new Date(), audience: string | null = null) =>
      authenticateKey(bearer, { requestId: "req_1", clientAddress: null }, "nothing", now, audience).then(
        ({ context }) => context.keyId,
        (error: ApiError) => error.code,
      );
    const keyIds = await Promise.all([
      use(first.bearer),
      use(revoked.bearer),
      use(second.bearer),
      use(unknown),
      use(first.bearer),
      use(expired.bearer),
      use(expired.bearer, later),
      use(second.bearer, new Date(), "https://elsewhere.test"),
    ]);
    const refused = "unauthorized";
    expect(keyIds).toEqual([first.id, refused, second.id, refused, first.id, expired.id, refused, refused]);
  });

  it("is counted per day, and its last use is kept", async () => {
    const { id, bearer } = await newKey();
    for (let i = 0; i < 3; i++) await authenticateKey(bearer, { requestId: "req_1", clientAddress: null }, "nothing");
    await flushKeyUse();
    await authenticateKey(bearer, { requestId: "req_2", clientAddress: null }, "nothing");
    await flushKeyUse();
    const entry = (await listKeys(owner.session)).find((key) => key.id === id);
    expect(entry).toMatchObject({ requests: 4, lastUsedAt: expect.any(Date) });
  });

  it("is counted although a write is under way, and although a key counted with it is gone", async () => {
    const { id, bearer } = await newKey();
    const use = () => authenticateKey(bearer, { requestId: "req_1", clientAddress: null }, "nothing");
    recordKeyUse(newId("key"), new Date());
    await use();
    const underWay = flushKeyUse();
    await use();
    await flushKeyUse();
    expect((await listKeys(owner.session)).find((key) => key.id === id)?.requests).toBe(2);
    await underWay;
  });
});

describe("an agent's API key", () => {
  it("acts as the agent, opens its own wrap and belongs to its owner's list", async () => {
    const [bot, other] = [await newAgent("bot"), await newAgent("other")];
    const account = await newKey();
    const { id, bearer } = await newKey(undefined, bot);
    const { id: second } = await newKey(undefined, other);
    const request = { requestId: "req_1", clientAddress: null };
    const { context } = await authenticateKey(bearer, request, "secret");
    expect(context.account).toEqual(bot);
    expect((await context.unwrap()).secret).toEqual(secret);
    expect(await (await authenticateKey(bearer, request, "flag")).context.unwrapFlagKey()).toEqual(flagKey);
    const agentsOf = async (session: SessionContext) =>
      new Map((await listKeys(session)).map((key) => [key.id, key.agentHandle]));
    const all = await agentsOf(owner.session);
    expect([all.get(account.id), all.get(id), all.get(second)]).toEqual([null, bot.handle, other.handle]);
    expect(await agentsOf({ ...owner.session, account: bot })).toEqual(new Map([[id, bot.handle]]));
  });

  it("opens nothing when its row is moved to another agent or to the account", async () => {
    const [bot, other] = [await newAgent("bot2"), await newAgent("other2")];
    const { id, bearer } = await newKey(undefined, bot);
    for (const agentId of [other.id, null]) {
      await db().update(apiKeys).set({ agentId }).where(eq(apiKeys.id, id));
      const { context } = await authenticateKey(bearer, { requestId: "req_1", clientAddress: null }, "secret");
      await expect(context.unwrap()).rejects.toMatchObject({ code: "unavailable" });
    }
  });

  it("is ended by the account's owner, and by no one else", async () => {
    const { id, bearer } = await newKey(undefined, await newAgent("bot3"));
    const stranger = await Owner.create(46630);
    await expect(revokeKey(stranger.session, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(revokeKey({ ...owner.session, chainId: 4663 }, id)).rejects.toMatchObject({ code: "not_found" });
    await revokeKey(owner.session, id);
    const request = { requestId: "req_1", clientAddress: null };
    await expect(authenticateKey(bearer, request, "nothing")).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("takes strict mode and the secret's version from its owner's settings", async () => {
    const strict = await Owner.create(46630);
    await db()
      .insert(accountNetworks)
      .values({ accountId: strict.account.id, chainId: 46630, strict: true, secretVersion: 2 })
      .onConflictDoUpdate({
        target: [accountNetworks.accountId, accountNetworks.chainId],
        set: { strict: true, secretVersion: 2 },
      });
    const agent = { ...(await newAgent("bot4")), rootId: strict.account.id };
    const body = strayKey();
    const session: SessionContext = { ...strict.session, account: agent };
    await expect(createKey(session, body)).rejects.toMatchObject({ code: "available_balance_changed" });
    await expect(createKey(session, { ...body, secret_version: 2 })).rejects.toMatchObject({ param: "wrap" });
    await createKey(session, { ...body, secret_version: 2, wrap: undefined });
  });
});

describe("an Idempotency-Key", () => {
  const request = {
    idempotencyKey: "once",
    method: "POST",
    path: "/v1/transfers",
    bodyText: '{"amount":"7391.042187"}',
  };
  const response: StoredResponse = { status: 201, body: { transfer_id: "tr_1" } };
  const isAttempt = (begun: RequestAttempt | StoredResponse): begun is RequestAttempt => "complete" in begun;

  async function begin(key: Awaited<ReturnType<typeof authenticateKey>>): Promise<RequestAttempt> {
    const begun = await beginAttempt(key, request);
    if (!isAttempt(begun)) throw new Error("it was answered already");
    return begun;
  }

  /** Simulates the death of this process as PostgreSQL sees it: the connection with its advisory lock closes. */
  async function dieOnce(): Promise<void> {
    const number = await thisProcess();
    await asOwner(async (owner) => {
      const alive = () => owner`select pid from pg_locks
        where locktype = 'advisory' and classid = ${PROCESS_LOCKS} and objid = ${number} and granted`;
      const [holder] = await alive();
      await owner`select pg_terminate_backend(${holder?.pid})`;
      while ((await alive()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    });
    // PostgreSQL may have released the lock before this process sees that its connection is closed.
    while ((await thisProcess()) === number) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it("is free at once when its process has died, and the dead attempt can never complete", async () => {
    const key = await authenticateKey((await newKey()).bearer, { requestId: "req_1", clientAddress: null }, "nothing");
    const dead = await begin(key);
    await expect(beginAttempt(key, request)).rejects.toMatchObject({ code: "idempotency_in_progress", retryAfter: 1 });
    await dieOnce();
    const second = await begin(key);
    await expect(beginAttempt(key, request)).rejects.toMatchObject({ code: "idempotency_in_progress" });
    await expect(db().transaction((tx) => dead.complete(tx, response))).rejects.toMatchObject({
      code: "idempotency_in_progress",
    });
    await dead.abandon();
    await db().transaction((tx) => second.complete(tx, response));
    expect(await beginAttempt(key, request)).toEqual(response);
  });

  it("replays what a process had committed while it died", async () => {
    const key = await authenticateKey((await newKey()).bearer, { requestId: "req_1", clientAddress: null }, "nothing");
    const attempt = await begin(key);
    let completed = () => {};
    let mayCommit = () => {};
    const isCompleted = new Promise<void>((resolve) => (completed = resolve));
    const committable = new Promise<void>((resolve) => (mayCommit = resolve));
    const change = db().transaction(async (tx) => {
      await attempt.complete(tx, response);
      completed();
      await committable;
    });
    await isCompleted;
    await dieOnce();
    const repeated = beginAttempt(key, request);
    await asOwner(async (owner) => {
      const waits = () => owner`select from pg_locks where not granted and locktype = 'transactionid'`;
      while ((await waits()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    });
    mayCommit();
    await change;
    expect(await repeated).toEqual(response);
  });

  it("of a version that knew no processes is taken over after 60 seconds of silence", async () => {
    const key = await authenticateKey((await newKey()).bearer, { requestId: "req_1", clientAddress: null }, "nothing");
    await begin(key);
    const { keyId } = key.context;
    await sql()`update idempotency_keys set process = null where key_id = ${keyId}`;
    await expect(beginAttempt(key, request)).rejects.toMatchObject({ code: "idempotency_in_progress" });
    await sql()`update idempotency_keys set started_at = now() - interval '61 seconds' where key_id = ${keyId}`;
    await begin(key);
  });

  it("is completed in the transaction of the change: what rolls back leaves no response", async () => {
    const key = await authenticateKey((await newKey()).bearer, { requestId: "req_1", clientAddress: null }, "nothing");
    const attempt = await begin(key);
    const rolledBack = db().transaction(async (tx) => {
      await attempt.complete(tx, response);
      throw new Error("crash");
    });
    await expect(rolledBack).rejects.toThrow("crash");
    await attempt.abandon();
    expect(isAttempt(await beginAttempt(key, request))).toBe(true);
  });

  it("is forgotten after 24 hours", async () => {
    const key = await authenticateKey((await newKey()).bearer, { requestId: "req_1", clientAddress: null }, "nothing");
    const attempt = await begin(key);
    await db().transaction((tx) => attempt.complete(tx, response));
    await sql()`update idempotency_keys set created_at = now() - interval '25 hours' where key_id = ${key.context.keyId}`;
    expect(isAttempt(await beginAttempt(key, { ...request, bodyText: "another" }))).toBe(true);
  });

  it("leaves nothing behind that would let someone find the body or the response by trying", async () => {
    const key = await authenticateKey((await newKey()).bearer, { requestId: "req_1", clientAddress: null }, "nothing");
    const attempt = await begin(key);
    await db().transaction((tx) => attempt.complete(tx, response));
    await beginAttempt(key, { ...request, idempotencyKey: "another" });
    const [row, other] = await sql()<{ fingerprint: Buffer; answer: Buffer }[]>`
      select fingerprint, answer from idempotency_keys where key_id = ${key.context.keyId} order by answer is null`;
    expect(row?.fingerprint, "equal requests show").not.toEqual(other?.fingerprint);
    const plain = toHex(hashApiKey(`POST /v1/transfers\n${request.bodyText}`)).slice(2);
    expect(row?.fingerprint.toString("hex")).not.toBe(plain);
    expect(row?.answer.toString("latin1")).not.toContain("tr_1");
  });
});
