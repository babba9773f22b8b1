import { cpSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { GET, POST } from "@/app/v1/payment-requests/route";
import { DELETE } from "@/app/v1/webhooks/[webhook_id]/route";
import { ApiError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { generateApiKey, hashApiKey } from "@/lib/ledger/seal/api-key";
import { BASE, baseBackup } from "@/scripts/backup/base-backup";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { freePort } from "@/test/services/free-port";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { SETTINGS } from "@/test/services/postgres-server";
import { readingLists, sql, wroteSomething } from "./client";
import { fromReplica, MAX_LAG_MS, replicaInUse } from "./replicas";

const CHAIN = 46630;
let database: LocalDatabase;
let replica: LocalPostgres;
/** The replica's own superuser. */
let operator: postgres.Sql;
let folder: string;

/** An owner with an API key, as rows. */
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

/** How many entries `GET /v1/payment-requests` returns. */
async function listed(text: string): Promise<number> {
  const response = await call(GET, text);
  expect(response.status).toBe(200);
  return ((await response.json()) as { payment_requests: unknown[] }).payment_requests.length;
}

/** What the primary writes from now on does not reach the replica's readers. */
async function pause(): Promise<void> {
  await operator`select pg_wal_replay_pause()`;
  const state = () => operator`select pg_get_wal_replay_pause_state() as state`;
  await expect.poll(state, { timeout: 60_000 }).toEqual([{ state: "paused" }]);
}

/** Where lists of an account are read. */
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
  rmSync(folder, { recursive: true, force: true });
});

let alice: Awaited<ReturnType<typeof someone>>;
beforeEach(async () => {
  alice = await someone();
  await expect
    .poll(() => operator`select from api_keys where account_id = ${alice.id}`, { timeout: 60_000 })
    .toHaveLength(1);
  // Last: where the primary was seen just now is what tests go on from.
  await expect.poll(() => source(alice.id), { timeout: 60_000 }).toBe("replica");
});

test("lists come from the replica, and after a write of the same account from the primary until it has caught up", async () => {
  // However long this takes, the replica is not too far behind.
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const bob = await someone();
    await expect.poll(() => operator`select from accounts where id = ${bob.id}`, { timeout: 60_000 }).toHaveLength(1);
    await pause();
    await Promise.all([addRequest(alice.id), addRequest(bob.id)]);
    // No change of theirs went through the API: a replica may be some seconds behind.
    expect([await listed(alice.text), await listed(bob.text)]).toEqual([0, 0]);
    // What is not even handled has written nothing.
    expect((await call(POST, alice.text, { method: "POST", body: "{}" })).status).toBe(400);
    expect(await listed(alice.text)).toBe(0);
    // Whether or not it succeeds then, something may have been written.
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

test("one that is too far behind serves no list, until it has caught up", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await pause();
    await addRequest(alice.id);
    // The primary was seen with it.
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
  // The replica is no worse for it.
  expect(await source(alice.id)).toBe("replica");
});

test("one of another cluster serves no list, whatever its position", async () => {
  // It is left alone for as long as this clock stands.
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
  const cut = readingLists(alice.id, async () => {
    const [row] = await sql()<
      { replica: boolean; pid: number }[]
    >`select pg_is_in_recovery() as replica, pg_backend_pid() as pid`;
    runs.push(row?.replica ?? false);
    if (row?.replica) {
      await operator`select pg_terminate_backend(${row.pid})`;
      await sql()`select 1`;
    }
    return runs.length;
  });
  expect([await cut, runs]).toEqual([2, [true, false]]);
  expect(await source(alice.id)).toBe("primary");
  await wroteSomething(alice.id);
  await operator`select pg_promote()`;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  expect(await source(alice.id)).toBe("primary");
  vi.useRealTimers();
  await operator.end();
  await replica.stop();
  expect(await listed(alice.text)).toBe(0);
});
