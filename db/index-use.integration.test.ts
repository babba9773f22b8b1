import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { listRequests } from "@/lib/accounts/request-log/list-requests";
import { flushKeyUse } from "@/lib/accounts/usage/flush-key-use";
import { warnOfExpiry } from "@/lib/agents/account-secret/warn-of-expiry";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { getPolicy } from "@/lib/agents/get-policy";
import { listAgents } from "@/lib/agents/list-agents";
import { readEveryLedger } from "@/lib/agents/read-every-ledger";
import { pauseAgent, resumeAgent } from "@/lib/agents/set-status";
import { simulatePolicy } from "@/lib/agents/simulate-policy";
import { updatePolicy } from "@/lib/agents/update-policy";
import { readLedger } from "@/lib/balances/read-ledger";
import type { Context, KeyContext, SessionContext } from "@/lib/base/context/context";
import type { Id } from "@/lib/base/ids";
import { listAuditEntries } from "@/lib/events/audit/list-entries";
import { isStillTrue } from "@/lib/events/notifications/delivery/is-still-true";
import { notice } from "@/lib/events/notifications/delivery/notice";
import { confirmEmail } from "@/lib/events/notifications/email/confirm-email";
import { removeEmail } from "@/lib/events/notifications/email/remove-email";
import { setEmail } from "@/lib/events/notifications/email/set-email";
import { getSettings } from "@/lib/events/notifications/get-settings";
import { listLocalMail } from "@/lib/events/notifications/list-local-mail";
import { switchKind } from "@/lib/events/notifications/switch-kind";
import { notifyOwner } from "@/lib/events/notify-owner";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import { beginAttempt } from "@/lib/http/idempotency/begin-attempt";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { handOverTags } from "@/lib/payments/after-restore/hand-over-tags";
import { listWantedTags } from "@/lib/payments/after-restore/list-wanted-tags";
import { readTags } from "@/lib/payments/after-restore/read-tags";
import { closeExpired } from "@/lib/payments/approvals/close-expired";
import { findHeld } from "@/lib/payments/approvals/find-held";
import { listPending } from "@/lib/payments/approvals/list-pending";
import { reject } from "@/lib/payments/approvals/reject";
import { approve } from "@/lib/payments/approve";
import { createTransfer } from "@/lib/payments/create-transfer";
import { getTransfer } from "@/lib/payments/get-transfer";
import { listTransfers } from "@/lib/payments/list-transfers";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { deleteDrafts } from "@/lib/payments/payouts/delete-drafts";
import { listPayouts } from "@/lib/payments/payouts/list-payouts";
import { listRows } from "@/lib/payments/payouts/list-rows";
import { nextGroup } from "@/lib/payments/payouts/next-group";
import { rowsOfNotes } from "@/lib/payments/payouts/pay-rows-blind";
import { readStalePayouts } from "@/lib/payments/payouts/stale-payouts";
import { cancelPaymentRequest } from "@/lib/payments/requests/cancel-payment-request";
import { createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { expireRequests } from "@/lib/payments/requests/expire-requests";
import { getPublicRequest } from "@/lib/payments/requests/get-public-request";
import { listPaymentRequests } from "@/lib/payments/requests/list-payment-requests";
import { reportPayment } from "@/lib/payments/requests/report-payment";
import { clearFinished } from "@/lib/payments/schedules/clear-finished";
import { endSchedule } from "@/lib/payments/schedules/end-schedule";
import { getRun } from "@/lib/payments/schedules/get-run";
import { listRuns, listSchedules } from "@/lib/payments/schedules/list-schedules";
import { advanceRun } from "@/lib/payments/schedules/runs/advance-run";
import { tryTransfer } from "@/lib/payments/try-transfer";
import { sweep } from "@/lib/settlement/resend/sweep";
import { runWorker } from "@/lib/worker/run-worker";
import { Agent } from "@/test/accounts/agent";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { makeRequest } from "@/test/accounts/payment-request";
import { putNew, termsOf } from "@/test/accounts/schedule-terms";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { closeDb, db } from "./client";

const CHAIN = 46630;
const MANY = 10_000;
let services: LocalServices;

beforeAll(async () => {
  services = await startLocalServices();
  await alone((sql) => sql.unsafe(OTHERS));
  await alone((sql) => sql`analyze`);
  // Earlier statements are not part of this test. A connection reports its counts when it ends.
  await closeDb();
});

afterAll(() => services?.stop());

/** Runs statements on a separate connection. */
async function alone<T>(run: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
  const sql = postgres(services.env.MIGRATION_DATABASE_URL, { max: 1 });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}

// So many rows of other accounts that a sequential scan is never the cheaper plan.
const OTHERS = `
  create function bytes32(n int, tag text) returns bytea immutable language sql as $$ select sha256((tag || n)::bytea) $$;
  create function place(n int) returns bytea immutable language sql as $$ select substr(bytes32(n, 'address'), 1, 20) $$;
  insert into accounts (id, handle, address, type, created_at)
    select 'acct_' || n, 'other' || n, place(n), 'personal', now() from generate_series(1, ${MANY}) n;
  insert into ledger_accounts (chain_id, address, viewing_key, signer, until, enrolled_block)
    select ${CHAIN}, place(n), bytes32(n, 'x'), place(-n), 0, 1 from generate_series(1, ${MANY}) n;
  insert into deposited_balances (chain_id, account, asset, units)
    select ${CHAIN}, place(n), place(0), n from generate_series(1, ${MANY}) n;
  insert into available_balances (chain_id, account, asset)
    select ${CHAIN}, place(n), place(0) from generate_series(1, ${MANY}) n;
  insert into available_commitments (chain_id, account, asset, commitment)
    select ${CHAIN}, place(n), place(0), bytes32(n, 'new') from generate_series(1, ${MANY}) n;
  insert into available_states (chain_id, account, asset, old_commitment, commitment, encrypted, flag, secret_version, status, created_at)
    select ${CHAIN}, place(n), place(0), bytes32(n, 'old'), bytes32(n, 'new'), '', '', 1, 'final', now()
    from generate_series(1, ${MANY}) n;
  insert into notes (chain_id, account, asset, note, source, sender, ciphertext, block_number, log_index, tx_hash, spent)
    select ${CHAIN}, place(n % 997 + 1), place(0), bytes32(n, 'note'), 'transfer', place(n), '', n, 0, bytes32(n, 'tx'), n % 3 = 0
    from generate_series(1, 2 * ${MANY}) n;
  insert into operations (id, chain_id, kind, status, account, target, data, gas, deadline, relayer, created_at, settled_at,
      reconciled_at)
    select 'op_' || n, ${CHAIN}, 'transfer', case n % 10 when 0 then 'failed' else 'confirmed' end, place(n % 997 + 1),
      place(0), '', 1, now(), place(n % 4), now() - n * interval '1 second', now(), now()
    from generate_series(1, 2 * ${MANY}) n;
  insert into ledger_payments (chain_id, block_number, log_index, kind, payer, asset, recipient, known_by, new_commitment, tx_hash)
    select ${CHAIN}, n + 1000000, 0, 'transfer', place(n % 997 + 1), place(0), place(n % 991 + 1), bytes32(n, 'note'), bytes32(n, 'new'),
      bytes32(n, 'tx')
    from generate_series(1, 2 * ${MANY}) n;
  insert into outgoing_transactions (operation_id, chain_id, relayer, nonce, hash, raw, status, created_at)
    select 'op_' || n, ${CHAIN}, place(n % 4), n, bytes32(n, 'tx'), '', 'mined', now() from generate_series(1, 2 * ${MANY}) n;
  insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at)
    select 'key_' || n, 'acct_' || n, ${CHAIN}, bytes32(n, 'key'), 'hc_test_', '0000', 'other', 1, now()
    from generate_series(1, ${MANY}) n;
  insert into idempotency_keys (key_id, key, fingerprint, attempt, started_at, created_at)
    select 'key_' || n, 'k', bytes32(n, 'body'), 'a', now(), now() from generate_series(1, ${MANY}) n;
  insert into events (id, account_id, root_id, chain_id, type, payload, created_at)
    select 'evt_' || n, 'acct_' || n % 997, 'acct_' || n % 997, ${CHAIN}, 'transfer.confirmed', '{}', now()
    from generate_series(1, 2 * ${MANY}) n;
  insert into transfers (id, chain_id, kind, status, payer_id, payer_root_id, recipient_id, recipient_root_id,
      recipient_address, to_given, asset, old_commitment, new_commitment, note, payer_ciphertext, operation_id, tx_hash, created_at,
      client_signed)
    select 'tr_' || n, ${CHAIN}, 'transfer', case n % 10 when 0 then 'failed' else 'confirmed' end,
      'acct_' || n % 997 + 1, 'acct_' || n % 997 + 1, 'acct_' || n % 991 + 1, 'acct_' || n % 991 + 1, place(n % 991 + 1),
      '@other', place(0), bytes32(n, 'old'), bytes32(n, 'new'), bytes32(n, 'note'), '', 'op_' || n, bytes32(n, 'tx'),
      now() - n * interval '1 second', false
    from generate_series(1, 5 * ${MANY}) n;
  insert into rebuilt_payments (transfer_id, chain_id, root_id, block, paid_at)
    select 'tr_' || n, ${CHAIN}, 'acct_' || n % 997 + 1, n, now() from generate_series(1, 2 * ${MANY}) n;
  insert into accounts (id, handle, address, type, owner_id, chain_id, created_at)
    select 'acct_a' || n, 'other' || n || '/bot', place(-n), 'agent', 'acct_' || n, ${CHAIN}, now()
    from generate_series(1, ${MANY}) n;
  insert into agents (account_id, chain_id, status, wallet, secret_version)
    select 'acct_a' || n, ${CHAIN}, 'active', '', 1 from generate_series(1, ${MANY}) n;
  insert into spend_policies (id, holder_id, chain_id, daily_limit, per_transaction_limit, hitl_threshold,
      allowed_recipients, assets, active_hours, time_zone, limits, salt, version, resolved, any_recipient, updated_at)
    select 'pol_' || n, 'acct_a' || n, ${CHAIN}, 0, 0, 0, '[]', '["USDG"]', '00:00-24:00', 'UTC', '{}',
      bytes32(n, 'salt'), 1, '[]', false, now()
    from generate_series(1, ${MANY}) n;
  insert into held_payments (id, chain_id, agent_id, root_id, status, to_given, recipient_address, asset, kind, encrypted,
      secret_version, key_id, requested_at, expires_at)
    select 'txn_' || n, ${CHAIN}, 'acct_a' || n % 997 + 1, 'acct_' || n % 997 + 1,
      case n % 2 when 0 then 'pending_approval' else 'approved' end, '@other', place(n), place(0), 'transfer', '', 1,
      'key_' || n, now(), now() + interval '1 day'
    from generate_series(1, 2 * ${MANY}) n;
  insert into api_keys (id, account_id, agent_id, chain_id, hash, prefix, last_four, label, secret_version, created_at)
    select 'key_a' || n, 'acct_' || n, 'acct_a' || n, ${CHAIN}, bytes32(n, 'agent key'), 'hc_test_', '0000', 'other', 1, now()
    from generate_series(1, ${MANY}) n;
  insert into audit_log (id, root_id, chain_id, position, actor_type, actor_id, action, target, created_at, previous_hash,
      hash)
    select 'aud_' || n, 'acct_' || n % 997 + 1, ${CHAIN}, n / 997 + 1, 'key', 'key_' || n, 'agent.paused', 'acct_a' || n,
      now(), '', ''
    from generate_series(1, 2 * ${MANY}) n;
  insert into audit_heads (root_id, chain_id, position, hash)
    select 'acct_' || n, ${CHAIN}, 21, '' from generate_series(1, ${MANY}) n;
  insert into schedules (id, chain_id, account_id, status, version, encrypted, secret_version, window_seconds, created_at,
      updated_at)
    select 'sch_' || n, ${CHAIN}, 'acct_' || n, 'active', 1, '', 1, 3600, now(), now() from generate_series(1, ${MANY}) n;
  insert into schedule_runs (id, schedule_id, chain_id, account_id, date, due_at, window_ends_at, status, created_at)
    select 'run_' || n, 'sch_' || n, ${CHAIN}, 'acct_' || n, '2026-01-01', now(), now(), 'due', now()
    from generate_series(1, ${MANY}) n;
  insert into payment_requests (id, chain_id, account_id, payee, asset, status, envelope, link_key, signature, expires_at,
      created_at)
    select 'payreq_' || n, ${CHAIN}, 'acct_' || n % 997 + 1, place(n), place(0),
      case n % 3 when 0 then 'open' else 'paid' end, '', '', '', now() + interval '1 day', now()
    from generate_series(1, 2 * ${MANY}) n;
  insert into request_payments (transfer_id, request_id, state, created_at)
    select 'tr_' || n, 'payreq_' || n, 'exact', now() from generate_series(1, 2 * ${MANY}) n;
  insert into payouts (id, chain_id, account_id, status, rows, asked_by, idempotency_key, fingerprint, encrypted_key,
      secret_version, working_until, created_at)
    select 'po_' || n, ${CHAIN}, 'acct_' || n % 997 + 1, case n % 3 when 0 then 'processing' else 'finished' end, 2,
      'wallet', 'k' || n, '', '', 1, now(), now()
    from generate_series(1, ${MANY}) n;
  insert into payout_rows (payout_id, row, batch, place, note, encrypted, status, alone)
    select 'po_' || n, row, 0, row, bytes32(2 * n + row, 'row'), '', case n % 3 when 0 then 'pending' else 'paid' end, false
    from generate_series(1, ${MANY}) n, generate_series(1, 2) row;
  insert into jobs (name, key, input, next_run)
    select 'payment-keys.warn', 'other' || n, '{}', now() + interval '1 day' from generate_series(1, ${MANY}) n;
  insert into notification_emails (id, root_id, chain_id, encrypted, state, unsubscribe_hash, created_at, changed_at)
    select 'eml_' || n, 'acct_' || n, ${CHAIN}, '', 'confirmed', bytes32(n, 'unsubscribe'), now(), now()
    from generate_series(1, ${MANY}) n;
  insert into push_devices (id, root_id, chain_id, endpoint_hash, encrypted, service, created_at)
    select 'dev_' || n, 'acct_' || n, ${CHAIN}, bytes32(n, 'endpoint'), '', 'push.example.com', now()
    from generate_series(1, ${MANY}) n;
  insert into notification_settings (root_id, chain_id, email_kinds, push_kinds)
    select 'acct_' || n, ${CHAIN}, '{}', '{}' from generate_series(1, ${MANY}) n;
  insert into notification_sends (target, kind, cause, sent_at)
    select 'eml_' || n % 997, 'approval_needed', 'cause ' || n, now() from generate_series(1, ${MANY}) n;
  insert into noticed_things (kind, subject, noticed_at)
    select 'approval_expiring', 'txn_' || n, now() from generate_series(1, ${MANY}) n;
  insert into local_mail (root_id, chain_id, message_id, recipient, subject, plain, html, headers, created_at)
    select 'acct_' || n % 997 + 1, ${CHAIN}, 'message ' || n, '', '', '', '', '{}', now()
    from generate_series(1, ${MANY}) n;
  drop function place; drop function bytes32;`;

/**
 * Returns how often each large table was scanned sequentially, once all other connections have ended. Of a partitioned
 * table, its large partitions count.
 */
function sequentialScans(): Promise<Record<string, number>> {
  return alone(async (sql) => {
    const others = () => sql`
      select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    while ((await others()).length > 0) await sql`select pg_sleep(0.05)`;
    const rows = await sql<{ name: string; scans: number }[]>`
      select coalesce(pg_partition_root(relid), relid)::regclass::text as name, sum(seq_scan)::int as scans
      from pg_stat_user_tables where n_live_tup > ${MANY / 2} group by 1`;
    return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
  });
}

/** Calls lists with every filter, for an account and for an agent. */
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

/** Uses an agent, its keys and its owner more often than a prepared statement is planned again. */
async function liveWithAnAgent(alice: Owner, aliceKey: KeyContext, to: string): Promise<void> {
  const { agent, operationId } = await Agent.create(alice, { hitlThreshold: 10_000_000n });
  await settled(operationId);
  const { handle } = agent.account;
  const pay = (ctx: KeyContext, amount: string, recipient = to) =>
    createTransfer(ctx, { to: recipient, amount, asset: "USDG", confidential: true });
  await settled(paidTransfer(await pay(aliceKey, "70", `@${handle}`)).row.operationId);
  const { text } = await createApiKey(agent);
  for (let n = 0; n < 7; n++) {
    const request = { requestId: "test", clientAddress: null };
    const { context } = await authenticateKey(`Bearer ${text}`, request, "secret");
    const { row } = paidTransfer(await pay(context, "1"));
    await tryTransfer(context, { to, amount: "1", asset: "USDG", confidential: true });
    const held = await Promise.all([pay(context, "11"), pay(context, "12")]);
    const [approved, rejected] = (await listPending(alice.session, { limit: 20, offset: 0 })).list.map(
      ({ row: { id } }) => id,
    );
    if (held.some(({ outcome }) => outcome !== "held") || !approved || !rejected) throw new Error("nothing was held");
    expect((await listPending(context, { limit: 20, offset: 0 })).list).toHaveLength(2);
    await findHeld(context, approved);
    // The available balance is not enough to approve all of them.
    await (n === 0 ? approve(aliceKey, approved, {}) : reject(aliceKey, approved));
    await reject(alice.session, rejected);
    await closeExpired();
    await settled(row.operationId);
    const { id } = await findOwnAgent(aliceKey, `@${handle}`);
    await getPolicy(context, id);
    await updatePolicy(aliceKey, id, { dailyLimit: BigInt(1_000_000_000 + n) });
    if (n % 2 === 0) await pauseAgent(aliceKey, id);
    await resumeAgent(aliceKey, id);
    expect(await listAgents(aliceKey)).toHaveLength(1);
    await simulatePolicy(aliceKey, id, { payments: [{ to, asset: "USDG", amount: 1n }] });
    const list = { limit: 20, offset: 0 };
    const times = { from: new Date(0), to: new Date() };
    for (const filter of [{}, { action: "agent.paused" }, { target: id }, { actor: "key" as const }, times]) {
      expect((await listAuditEntries(alice.session, { ...list, ...filter })).entries).not.toEqual([]);
    }
    for (const filter of [
      {},
      { key: id },
      { outcome: "failed" as const },
      { method: "GET" as const },
      { method: "POST" as const },
    ]) {
      await listRequests(alice.session, { ...list, ...filter });
    }
    expect(await listKeys(agent.session)).toHaveLength(1);
    await listKeys(alice.session);
    await readLedger(agent.session, { asset: "USDG" });
    await readEveryLedger(alice.session);
    await listWantedTags(alice.session, { limit: 20 });
    const of = { transfer_id: row.id as Id<"transfer">, tag: toHex(randomBytes(16)), voucher: toHex(randomBytes(32)) };
    expect(await handOverTags(alice.session, { tags: [of] })).toEqual({ handedOver: 0 });
    expect((await readTags({ ...context, idempotencyKey: "1" })).payments).toEqual([]);
  }
  const spare = await createApiKey(agent);
  await revokeKey(alice.session, spare.id);
}

/** Runs a schedule from its creation to its end. */
async function schedule(alice: Owner, to: Owner): Promise<void> {
  const now = new Date("2026-01-01T00:00:00Z");
  const id = await putNew(alice, termsOf({ frequency: "daily", start: "2026-01-01" }, to), now);
  const {
    list: [run],
  } = await listRuns(alice.session, id, { limit: 20 });
  await advanceRun(run?.id ?? "", new Date("2026-01-01T09:00:00Z"));
  await getRun(alice.session, id, run?.id ?? "");
  for (const query of [
    {},
    { status: "active" as const },
    { starting_after: `sch_${"Z".repeat(26)}` as Id<"schedule"> },
  ]) {
    expect((await listSchedules(alice.session, { limit: 20, ...query })).list).not.toEqual([]);
  }
  await listSchedules(alice.session, { limit: 20, stale: true });
  await db().transaction((tx) => clearFinished(tx, now));
  await endSchedule(alice.session, id);
}

/**
 * Creates an owner's payment requests and pays them with another's key, more often than a prepared statement is planned
 * again.
 */
async function liveWithRequests(payee: Owner, payerKey: KeyContext): Promise<void> {
  for (let n = 0; n < 7; n++) {
    const [paid, cancelled] = await Promise.all([makeRequest(payee), makeRequest(payee)]);
    for (const { body } of [paid, cancelled]) await createPaymentRequest(payee.session, body);
    const payment = { to: payee.address, amount: "1", asset: "USDG" as const, confidential: true };
    const named = { payment_request: paid.body.payment_request_id, binding: paid.binding };
    const { row } = paidTransfer(await createTransfer(payerKey, { ...payment, ...named }));
    await settled(row.operationId);
    await reportPayment(payee.session, paid.terms.id, { transfer_id: row.id, finding: "underpaid" });
    await cancelPaymentRequest(payee.session, cancelled.terms.id);
    await getPublicRequest(paid.terms.id);
    await expireRequests();
    const list = { limit: 20, offset: 0 };
    for (const filter of [{}, { status: "open" as const }, { reference: "none" }, { starting_after: paid.terms.id }]) {
      await listPaymentRequests(payee.session, { ...list, ...filter });
    }
  }
}

/** Reads lists and details of an account with payouts, more often than a prepared statement is planned again. */
async function readPayouts(session: SessionContext): Promise<void> {
  const ctx: SessionContext = { ...session, account: { ...session.account, id: "acct_1" as Id<"account"> } };
  for (let n = 0; n < 7; n++) {
    for (const filter of [{}, { status: "processing" as const }, { starting_after: "po_9" as Id<"payout"> }]) {
      const [first] = (await listPayouts(ctx, { limit: 5, ...filter })).list;
      if (!first) throw new Error("no payout is listed");
      await listRows(ctx, first.payout.id, { limit: 20 });
      await listRows(ctx, first.payout.id, { limit: 20, status: "pending", starting_after: 1 });
      await nextGroup(first.payout.id);
      // Of no row, so it is refused once it was looked for.
      await rowsOfNotes(first.payout, [toHex(randomBytes(32))]).catch(() => {});
    }
    await readStalePayouts(ctx, { limit: 20 });
    await db().transaction((tx) => deleteDrafts(tx, new Date()));
  }
}

/** Notifies an owner more often than a prepared statement is planned again. */
async function liveNotified({ session }: Owner): Promise<void> {
  const target = { rootId: session.account.rootId, chainId: session.chainId };
  for (let n = 0; n < 7; n++) {
    await setEmail(session, { address: `one${n}@example.com` });
    const mailed = async () => {
      const found = await listLocalMail(session);
      return found.length > n ? found : undefined;
    };
    const [mail] = await vi.waitUntil(mailed, { timeout: 60_000 });
    const linked = (page: string) => new RegExp(`${page}\\?token=(\\S+)`).exec(mail?.plain ?? "")?.[1] ?? "";
    expect(await confirmEmail(decodeURIComponent(linked("confirm")))).toBe(true);
    await getSettings(session);
    await switchKind(session, { kind: "webhook_failing", channel: "email", enabled: n % 2 === 0 });
    await notice();
    await isStillTrue("approval_needed", target, new Date());
    await isStillTrue("approval_expiring", target, new Date());
    await db().transaction((tx) => notifyOwner(tx, target, "approval_needed", new Date()));
  }
  await removeEmail(session);
}

/** Uses the product from enrollment to lists, with a worker that indexes, settles and sweeps. */
async function liveOnce(): Promise<void> {
  const stop = new AbortController();
  const worker = runWorker(stop.signal);
  try {
    const [alice, bob] = await Promise.all([Owner.funded(CHAIN, 200_000_000n), Owner.create(CHAIN)]);
    await settled(await bob.enroll());
    const { text } = await createApiKey(alice);
    const key = await authenticateKey(`Bearer ${text}`, { requestId: "test", clientAddress: null }, "secret");
    const input = { to: `@${bob.account.handle}`, amount: "5", asset: "USDG" as const, confidential: true };
    const ids: string[] = [];
    // More often than a prepared statement is planned again.
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
      await readLedger(bob.session, { asset: "USDG", after: { block: 1n, logIndex: 0 } });
      await schedule(alice, bob);
      await sweep(CHAIN);
      await warnOfExpiry();
    }
    await settled(await bob.makeAvailable());
    await listAll(alice.session);
    await readPayouts(alice.session);
    await listKeys(alice.session);
    const { transfers } = await listTransfers(key.context, { limit: 20, offset: 0 });
    expect(transfers.map(({ row }) => row.id)).toEqual(ids.reverse());
    await liveWithRequests(bob, key.context);
    await liveWithAnAgent(alice, key.context, input.to);
    await liveNotified(bob);
  } finally {
    stop.abort();
    await worker;
    // Otherwise its timer opens a connection while a test waits for all of them to end.
    await flushKeyUse();
    await closeDb();
  }
}

test("payments, lists and look-ups never read a large table from end to end", async () => {
  const before = await sequentialScans();
  expect(Object.keys(before).sort()).toEqual([
    "accounts",
    "agents",
    "api_keys",
    "audit_heads",
    "audit_log",
    "available_balances",
    "available_commitments",
    "available_states",
    "deposited_balances",
    "events",
    "held_payments",
    "idempotency_keys",
    "jobs",
    "ledger_accounts",
    "ledger_payments",
    "local_mail",
    "notes",
    "noticed_things",
    "notification_emails",
    "notification_sends",
    "notification_settings",
    "operations",
    "outgoing_transactions",
    "payment_requests",
    "payout_rows",
    "payouts",
    "push_devices",
    "rebuilt_payments",
    "request_payments",
    "schedule_runs",
    "schedules",
    "spend_policies",
    "transfers",
  ]);
  await liveOnce();
  expect(await sequentialScans()).toEqual(before);
});

test("a query without an index is seen", async () => {
  const before = await sequentialScans();
  await alone((sql) => sql`select id from transfers where to_given = '@nobody'`);
  const after = await sequentialScans();
  expect(after.transfers).toBeGreaterThan(before.transfers ?? 0);
  expect({ ...after, transfers: 0 }).toEqual({ ...before, transfers: 0 });
});
