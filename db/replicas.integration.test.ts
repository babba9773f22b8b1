import { cpSync, mkdtempSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { GET, POST } from "@/app/v1/payment-requests/route";
import { DELETE } from "@/app/v1/webhooks/[webhook_id]/route";
import { ApiError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { cleanUp } from "@/lib/jobs/clean-up";
import { generateApiKey, hashApiKey } from "@/lib/ledger/seal/api-key";
import { BASE, baseBackup } from "@/scripts/backup/base-backup";
import { removeFolder } from "@/scripts/stack/files";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { freePort } from "@/test/services/free-port";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { SETTINGS } from "@/test/services/postgres-server";
import { readingLists, sql, writing } from "./client";
import { fromReplica, MAX_LAG_MS, replicaInUse } from "./replicas";

const CHAIN = 46630;
let database: LocalDatabase;
let replica: LocalPostgres;
/** A connection to the replica as its superuser. */
let operator: postgres.Sql;
let folder: string;

/** Inserts an owner with an API key. */
async function someone(): Promise<{ id: string; text: string }> {
  const [id, text] = [newId("account"), generateApiKey(CHAIN)];
  const place = Buffer.from(id).subarray(-20);
  await sql()`insert into accounts (id, handle, address, type, created_at)
    values (${id}, ${id.slice(-12).toLowerCase()}, ${place}, 'personal', now())`;
  await sql()`insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at)
    values (${newId("key")}, ${id}, ${CHAIN}, ${hashApiKey(text)}, 'hc_test_', '0000', 'test', 1, now())`;
  return { id, text };
}

const addRequest = (accountId: string) => sql()`
  insert into payment_requests (id, chain_id, account_id, payee, asset, status, envelope, link_key, signature, expires_at,
    created_at)
  values (${newId("paymentRequest")}, ${CHAIN}, ${accountId}, '', '', 'open', '', '', '', now() + interval '1 day', now())`;

const call = (handler: typeof GET, text: string, init: RequestInit = {}, params = {}) =>
  handler(
    new Request("http://localhost/v1/payment-requests", {
      ...init,
      headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
    }),
    { params: Promise.resolve(params) },
  );

/** Returns how many entries `GET /v1/payment-requests` lists. */
async function listed(text: string): Promise<number> {
  const response = await call(GET, text);
  expect(response.status).toBe(200);
  return ((await response.json()) as { payment_requests: unknown[] }).payment_requests.length;
}

/** Pauses replay on the replica, so that it does not show later writes. */
async function pause(): Promise<void> {
  await operator`select pg_wal_replay_pause()`;
  const state = () => operator`select pg_get_wal_replay_pause_state() as state`;
  await expect.poll(state, { timeout: 60_000 }).toEqual([{ state: "paused" }]);
}

/** Returns where an account's lists are read. */
const source = async (rootId: string) => {
  const [row] = await readingLists(rootId, () => sql()<{ replica: boolean }[]>`select pg_is_in_recovery() as replica`);
  return row?.replica ? "replica" : "primary";
};

beforeAll(async () => {
  database = await startLocalDatabase("own");
  folder = mkdtempSync("/tmp/halcyon-replica-");
  const { port, password } = new URL(process.env.MIGRATION_DATABASE_URL ?? "");
  await baseBackup(process.env.MIGRATION_DATABASE_URL ?? "", path.join(folder, "copy"));
  cpSync(path.join(folder, "copy", BASE), path.join(folder, "postgres"), { recursive: true });
  replica = new LocalPostgres({
    data: folder,
    port: await freePort(),
    password,
    appPassword: new URL(process.env.DATABASE_URL ?? "").password,
    settings: SETTINGS,
    primary: `host=127.0.0.1 port=${port} user=halcyon password=${password}`,
    say: () => {},
  });
  await replica.start();
  operator = postgres(replica.ownerUrl, { max: 1, onnotice: () => {} });
  process.env.DATABASE_REPLICA_URL = replica.appUrl;
});
afterAll(async () => {
  delete process.env.DATABASE_REPLICA_URL;
  await operator?.end();
  await database?.stop();
  await replica?.stop();
  removeFolder(folder);
});

let alice: Awaited<ReturnType<typeof someone>>;
beforeEach(async () => {
  alice = await someone();
  await expect
    .poll(() => operator`select from api_keys where account_id = ${alice.id}`, { timeout: 60_000 })
    .toHaveLength(1);
  // Last, so that the tests start with a fresh sample of the primary's position.
  await expect.poll(() => source(alice.id), { timeout: 60_000 }).toBe("replica");
});

test("lists come from the replica, and after a write of the same account from the primary until it has caught up", async () => {
  // With a fixed clock, the replica never counts as too far behind.
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const bob = await someone();
    await expect.poll(() => operator`select from accounts where id = ${bob.id}`, { timeout: 60_000 }).toHaveLength(1);
    await pause();
    await Promise.all([addRequest(alice.id), addRequest(bob.id)]);
    // Neither account's change went through the API, so a replica may lag by some seconds.
    expect([await listed(alice.text), await listed(bob.text)]).toEqual([0, 0]);
    // A request that is refused before it is handled has written nothing.
    expect((await call(POST, alice.text, { method: "POST", body: "{}" })).status).toBe(400);
    expect(await listed(alice.text)).toBe(0);
    // A request that was handled may have written something, whether or not it succeeded.
    const unknown = { webhook_id: newId("webhook") };
    expect((await call(DELETE, alice.text, { method: "DELETE" }, unknown)).status).toBe(404);
    expect([await listed(alice.text), await listed(bob.text)]).toEqual([1, 0]);
  } finally {
    vi.useRealTimers();
    await operator`select pg_wal_replay_resume()`;
  }
  await expect.poll(() => source(alice.id), { timeout: 60_000 }).toBe("replica");
  expect(await listed(alice.text)).toBe(1);
});

test("a payment whose process died before it said so is in its payer's list, however far behind the replica is", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const bob = await someone();
    await expect.poll(() => operator`select from accounts where id = ${bob.id}`, { timeout: 60_000 }).toHaveLength(1);
    await pause();
    // Two requests start. One ends; the process of the other dies after its commit.
    const [end] = await Promise.all([writing(alice.id), writing(alice.id)]);
    await Promise.all([addRequest(alice.id), addRequest(bob.id)]);
    expect([await listed(alice.text), await listed(bob.text)]).toEqual([1, 0]);
    await end();
    expect(await listed(alice.text)).toBe(1);
    await operator`select pg_wal_replay_resume()`;
    await expect.poll(() => operator`select from last_writes where root_id = ${alice.id}`).toHaveLength(1);
    // The entry that the dead process left counts until it expires, and is deleted with the next one.
    expect(await source(alice.id)).toBe("primary");
    await sql()`update open_writes set expires_at = now() - interval '1 second' where root_id = ${alice.id}`;
    await expect.poll(() => source(alice.id), { timeout: 60_000 }).toBe("replica");
    await (await writing(alice.id))();
    expect(await sql()`select from open_writes where root_id = ${alice.id}`).toHaveLength(0);
    // That of an account that changes nothing any more goes with the clean-up; one under way stays.
    const [under] = await Promise.all([writing(alice.id), writing(bob.id)]);
    await sql()`update open_writes set expires_at = now() - interval '1 second' where root_id = ${bob.id}`;
    await cleanUp();
    expect(await sql()`select root_id as of from open_writes`).toEqual([{ of: alice.id }]);
    await under();
  } finally {
    vi.useRealTimers();
    await operator`select pg_wal_replay_resume()`;
  }
});

test("a request does not wait for another that is just removing what a dead process left", async () => {
  await Promise.all([writing(alice.id), writing(alice.id)]);
  const entries = () => sql()`select id from open_writes where root_id = ${alice.id} order by id`;
  const [locked, free] = await entries();
  await sql()`update open_writes set expires_at = now() - interval '1 second' where root_id = ${alice.id}`;
  const other = postgres(process.env.DATABASE_URL ?? "", { max: 1 });
  const end = await other.begin(async (tx) => {
    await tx`select from open_writes where id = ${locked?.id} for update`;
    return writing(alice.id);
  });
  await other.end();
  const left = (await entries()).map(({ id }) => id);
  expect([left.length, left.includes(locked?.id), left.includes(free?.id)]).toEqual([2, true, false]);
  await end();
  await (await writing(alice.id))();
  expect(await entries()).toHaveLength(0);
});

test("one that is too far behind serves no list, until it has caught up", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await pause();
    await addRequest(alice.id);
    // A newer sample of the primary includes the write.
    vi.setSystemTime(Date.now() + 1_500);
    expect(await source(alice.id)).toBe("replica");
    vi.setSystemTime(Date.now() + MAX_LAG_MS + 1);
    expect([await source(alice.id), await listed(alice.text)]).toEqual(["primary", 1]);
    await operator`select pg_wal_replay_resume()`;
    await expect.poll(() => source(alice.id), { timeout: 60_000 }).toBe("replica");
  } finally {
    vi.useRealTimers();
    await operator`select pg_wal_replay_resume()`;
  }
});

test("a process that has read no list for long takes none from a replica that fell behind meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await pause();
    await addRequest(alice.id);
    vi.setSystemTime(Date.now() + 600_000);
    expect([await source(alice.id), await listed(alice.text)]).toEqual(["primary", 1]);
  } finally {
    vi.useRealTimers();
    await operator`select pg_wal_replay_resume()`;
  }
});

test("what a replica refuses is asked of the primary, and its refusal is the one that counts", async () => {
  const asked: unknown[] = [];
  const read = async () => {
    const [row] = await sql()<{ replica: boolean }[]>`select pg_is_in_recovery() as replica`;
    asked.push(row?.replica);
    throw new ApiError("invalid_request", "unknown");
  };
  await expect(readingLists(alice.id, read)).rejects.toThrow("unknown");
  expect(asked).toEqual([true, false]);
  const slow = () =>
    sql().begin(async (tx) => {
      await tx`set local statement_timeout = 1`;
      await tx`select pg_sleep(60)`;
    });
  await expect(readingLists(alice.id, slow)).rejects.toMatchObject({ code: "57014" });
  // The replica stays in use.
  expect(await source(alice.id)).toBe("replica");
});

test("one of another cluster serves no list, whatever its position", async () => {
  // The replica is left alone while this clock stands still.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  try {
    const primary = (cluster: string) =>
      (async () => [{ cluster, now: "0/0", wrote: null }]) as unknown as postgres.Sql;
    const from = (cluster: string) => fromReplica(primary(cluster), alice.id, async () => replicaInUse() !== undefined);
    const [own] = await sql()<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`;
    expect([await from(own?.id ?? ""), await from("1"), await from(own?.id ?? "")]).toEqual([true, false, false]);
  } finally {
    vi.useRealTimers();
  }
});

test("one that is away, or became a primary itself, serves no list, and no request fails", async () => {
  const runs: boolean[] = [];
  const cut = () =>
    readingLists(alice.id, async () => {
      const [row] = await sql()<{ replica: boolean }[]>`select pg_is_in_recovery() as replica`;
      runs.push(row?.replica ?? false);
      // Under a query: postgres.js ends the process that writes to a connection cut before (docs/decisions/0064).
      if (row?.replica) await sql()`select pg_terminate_backend(pg_backend_pid()), pg_sleep(600)`;
      return runs.length;
    });
  // The replica is left alone for some seconds, which a busy machine may take.
  vi.useFakeTimers({ toFake: ["Date"] });
  expect([await cut(), runs]).toEqual([2, [true, false]]);
  expect(await source(alice.id)).toBe("primary");
  vi.useRealTimers();
  await (await writing(alice.id))();
  await operator`select pg_promote()`;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  expect(await source(alice.id)).toBe("primary");
  vi.useRealTimers();
  await operator.end();
  await replica.stop();
  expect(await listed(alice.text)).toBe(0);
});
