import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticateKey } from "@/lib/auth/authenticate-key";
import type { Context } from "@/lib/auth/context";
import { readLedger } from "@/lib/budgets/read-ledger";
import { sweep } from "@/lib/chain/sweep";
import { beginAttempt } from "@/lib/idempotency/begin-attempt";
import { runWorker } from "@/lib/jobs/run-worker";
import { listKeys } from "@/lib/keys/list-keys";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { paidTransfer } from "@/lib/transfers/created-transfer";
import { getTransfer } from "@/lib/transfers/get-transfer";
import { listTransfers } from "@/lib/transfers/list-transfers";
import { createApiKey } from "@/scripts/testing/api-key";
import { type LocalServices, startLocalServices } from "@/scripts/testing/local-services";
import { Owner, settled } from "@/scripts/testing/owner";
import { closeDb } from "./client";

const CHAIN = 46630;
const MANY = 10_000;
let services: LocalServices;

beforeAll(async () => {
  services = await startLocalServices();
  await alone((sql) => sql.unsafe(OTHERS));
  await alone((sql) => sql`analyze`);
  // What ran so far is none of this test's; a connection hands in its counts when it ends.
  await closeDb();
}, 180_000);

afterAll(() => services?.stop(), 30_000);

/** Runs statements on a connection of their own. */
async function alone<T>(run: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
  const sql = postgres(services.postgres.url, { max: 1 });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}

// Other people's rows, so many that to read a table from end to end is never the cheaper way.
const OTHERS = `
  create function word(n int, tag text) returns bytea immutable language sql as $$ select sha256((tag || n)::bytea) $$;
  create function place(n int) returns bytea immutable language sql as $$ select substr(word(n, 'address'), 1, 20) $$;
  insert into accounts (id, handle, address, type, created_at)
    select 'acct_' || n, 'other' || n, place(n), 'personal', now() from generate_series(1, ${MANY}) n;
  insert into ledger_accounts (chain_id, address, viewing_key, spender, spender_until, enrolled_block)
    select ${CHAIN}, place(n), word(n, 'x'), place(-n), 0, 1 from generate_series(1, ${MANY}) n;
  insert into credits (chain_id, account, asset, units)
    select ${CHAIN}, place(n), place(0), n from generate_series(1, ${MANY}) n;
  insert into budgets (chain_id, account, asset)
    select ${CHAIN}, place(n), place(0) from generate_series(1, ${MANY}) n;
  insert into budget_words (chain_id, account, asset, word)
    select ${CHAIN}, place(n), place(0), word(n, 'new') from generate_series(1, ${MANY}) n;
  insert into budget_states (chain_id, account, asset, old_word, word, sealed, flag, secret_version, status, created_at)
    select ${CHAIN}, place(n), place(0), word(n, 'old'), word(n, 'new'), '', '', 1, 'final', now()
    from generate_series(1, ${MANY}) n;
  insert into notes (chain_id, account, asset, note, source, sender, ciphertext, block_number, log_index, tx_hash, spent)
    select ${CHAIN}, place(n % 997 + 1), place(0), word(n, 'note'), 'transfer', place(n), '', n, 0, word(n, 'tx'), n % 3 = 0
    from generate_series(1, 2 * ${MANY}) n;
  insert into operations (id, chain_id, kind, status, account, target, data, gas, deadline, relayer, created_at, settled_at)
    select 'op_' || n, ${CHAIN}, 'transfer', case n % 10 when 0 then 'failed' else 'confirmed' end, place(n % 997 + 1),
      place(0), '', 1, now(), place(n % 4), now() - n * interval '1 second', now() from generate_series(1, 2 * ${MANY}) n;
  insert into outgoing_transactions (operation_id, chain_id, relayer, nonce, hash, raw, status, created_at)
    select 'op_' || n, ${CHAIN}, place(n % 4), n, word(n, 'tx'), '', 'mined', now() from generate_series(1, 2 * ${MANY}) n;
  insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at)
    select 'key_' || n, 'acct_' || n, ${CHAIN}, word(n, 'key'), 'hc_test_', '0000', 'other', 1, now()
    from generate_series(1, ${MANY}) n;
  insert into idempotency_keys (key_id, key, fingerprint, attempt, started_at, created_at)
    select 'key_' || n, 'k', word(n, 'body'), 'a', now(), now() from generate_series(1, ${MANY}) n;
  insert into events (id, account_id, root_id, chain_id, type, payload, created_at)
    select 'evt_' || n, 'acct_' || n % 997, 'acct_' || n % 997, ${CHAIN}, 'transfer.confirmed', '{}', now()
    from generate_series(1, 2 * ${MANY}) n;
  insert into transfers (id, chain_id, kind, status, payer_id, payer_root_id, recipient_id, recipient_root_id,
      recipient_address, to_given, asset, old_word, new_word, note, payer_ciphertext, operation_id, tx_hash, created_at,
      prepared)
    select 'tr_' || n, ${CHAIN}, 'transfer', case n % 10 when 0 then 'failed' else 'confirmed' end,
      'acct_' || n % 997 + 1, 'acct_' || n % 997 + 1, 'acct_' || n % 991 + 1, 'acct_' || n % 991 + 1, place(n % 991 + 1),
      '@other', place(0), word(n, 'old'), word(n, 'new'), word(n, 'note'), '', 'op_' || n, word(n, 'tx'),
      now() - n * interval '1 second', false
    from generate_series(1, 5 * ${MANY}) n;
  drop function place; drop function word;`;

/** How often each table of many rows was read from end to end, once all other connections have ended. */
function sequentialScans(): Promise<Record<string, number>> {
  return alone(async (sql) => {
    const others = () => sql`
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    while ((await others()).length > 0) await sql`select pg_sleep(0.05)`;
    const rows = await sql<{ name: string; scans: number }[]>`
      select relname as name, seq_scan::int as scans from pg_stat_user_tables where n_live_tup > ${MANY / 2}`;
    return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
  });
}

/** Lists with every filter, for an account and for an agent. */
async function listAll(ctx: Context): Promise<void> {
  const [from, to] = [new Date(Date.now() - 3_600_000), new Date()];
  const agent: Context = { ...ctx, account: { ...ctx.account, type: "agent" } };
  for (const as of [ctx, agent]) {
    for (const time of [{}, { from }, { to }, { from, to }]) {
      await listTransfers(as, { limit: 20, offset: 0, ...time });
      for (const status of ["pending", "confirmed", "failed"] as const) {
        await listTransfers(as, { limit: 100, offset: 40, status, ...time });
      }
    }
  }
}

/** A life from enrolment to lists, with a worker that indexes, settles and sweeps. */
async function liveOnce(): Promise<void> {
  const stop = new AbortController();
  const worker = runWorker(stop.signal);
  try {
    const [alice, bob] = await Promise.all([Owner.funded(CHAIN, 90_000_000n), Owner.create(CHAIN)]);
    await settled(await bob.enroll());
    const { text } = await createApiKey(alice);
    const key = await authenticateKey(`Bearer ${text}`, { requestId: "test", clientAddress: null }, "secret");
    const input = { to: `@${bob.account.handle}`, amount: "5", asset: "USDG" as const, confidential: true };
    const ids: string[] = [];
    // More often than a prepared statement is planned anew.
    for (let n = 0; n < 7; n++) {
      const request = { method: "POST", path: "/v1/transfers", bodyText: String(n), idempotencyKey: String(n) };
      const attempt = await beginAttempt(key, request);
      if (!("complete" in attempt)) throw new Error("the request was made before");
      const { row } = paidTransfer(
        await createTransfer(key.context, input, (tx) => attempt.complete(tx, { status: 201, body: {} })),
      );
      expect(await settled(row.operationId)).toEqual(["confirmed"]);
      await getTransfer(key.context, row.id);
      ids.push(row.id);
      await readLedger(bob.session, { asset: "USDG" });
      await sweep(CHAIN);
    }
    await settled(await bob.allocate());
    await listAll(alice.session);
    await listKeys(alice.session);
    const { transfers } = await listTransfers(key.context, { limit: 20, offset: 0 });
    expect(transfers.map(({ row }) => row.id)).toEqual(ids.reverse());
  } finally {
    stop.abort();
    await worker;
    await closeDb();
  }
}

test("payments, lists and look-ups never read a large table from end to end", async () => {
  const before = await sequentialScans();
  expect(Object.keys(before).sort()).toEqual([
    "accounts",
    "api_keys",
    "budget_states",
    "budget_words",
    "budgets",
    "credits",
    "events",
    "idempotency_keys",
    "ledger_accounts",
    "notes",
    "operations",
    "outgoing_transactions",
    "transfers",
  ]);
  await liveOnce();
  expect(await sequentialScans()).toEqual(before);
}, 180_000);

test("a query without an index is seen", async () => {
  const before = await sequentialScans();
  await alone((sql) => sql`select id from transfers where to_given = '@nobody'`);
  const after = await sequentialScans();
  expect(after.transfers).toBeGreaterThan(before.transfers ?? 0);
  expect({ ...after, transfers: 0 }).toEqual({ ...before, transfers: 0 });
});
