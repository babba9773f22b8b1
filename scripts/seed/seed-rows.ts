import type postgres from "postgres";
import { decodeTime, encodeTime } from "ulid";
import { BUSY, busyAccount } from "./busy-account";
import { sideRows } from "./side-rows";

/** How many transfers are inserted at a time. */
const BATCH = 100_000;
/** Transfers per account. */
const EACH = 5;

export { BUSY, OPEN } from "./busy-account";

/** When row 0 was made, in milliseconds since 1970: the time of the ULIDs that begin with 01K0000000. */
const BEGIN = decodeTime("01K0000000".padEnd(26, "0"));

/** Returns when a row was made. Rows are a second apart. */
export const seedTime = (n: number): Date => new Date(BEGIN + n * 1_000);

/** Returns the id of a made-up row, a ULID of its time. */
export const seedId = (prefix: string, n: number): string =>
  `${prefix}${encodeTime(BEGIN + n * 1_000, 10)}${String(n).padStart(16, "0")}`;

/** SQL functions for made-up values, such as an account's address. */
const NAMES = `
  create or replace function pg_temp.bytes32(n bigint, tag text) returns bytea immutable language sql
    as $$ select sha256((tag || n)::bytea) $$;
  create or replace function pg_temp.place(n bigint) returns bytea immutable language sql
    as $$ select substr(pg_temp.bytes32(n, 'address'), 1, 20) $$;
  create or replace function pg_temp.at(n bigint) returns timestamptz immutable language sql
    as $$ select timestamptz '${new Date(BEGIN).toISOString()}' + n * interval '1 second' $$;
  create or replace function pg_temp.id(prefix text, n bigint) returns text immutable language sql
    as $$ select prefix || '01K' || ${digits()} || lpad(n::text, 16, '0') $$;`;

/** The last seven of the ten characters of a time in a ULID (Crockford's base 32). */
function digits(): string {
  const digit = (place: number) =>
    `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((n * 1000 >> ${5 * place}) & 31)::int + 1, 1)`;
  return [6, 5, 4, 3, 2, 1, 0].map(digit).join(" || ");
}

/**
 * Inserts rows like those of months of payments, for made-up accounts whose amounts no one can decrypt. Half of them
 * belong to one busy account, the rest to many.
 *
 * @param sql one connection, as the role that owns the tables
 * @param transfers how many transfers; other tables get a matching number of rows
 * @param bare creates indexes after the rows and checks no foreign keys, which is several times faster. Needs a
 *   superuser of a database that nothing else uses
 * @param done called with the number of transfers inserted so far
 */
export async function seedRows(
  sql: postgres.Sql,
  {
    chainId,
    transfers,
    bare = false,
    done,
  }: { chainId: number; transfers: number; bare?: boolean; done?: (transfers: number) => void },
): Promise<void> {
  await sql.unsafe(NAMES);
  const accounts = Math.ceil(transfers / EACH);
  const indexes = bare ? await dropIndexes(sql) : [];
  for (let from = 1; from <= transfers; from += BATCH) {
    const to = Math.min(from + BATCH - 1, transfers);
    const rows = { chainId, accounts, from, to };
    await sql.begin(async (tx) => {
      const first = from === 1 ? [...people(rows), ...sideRows(rows)] : [];
      const last = to === transfers ? busyAccount(rows) : [];
      for (const statement of [...first, ...payments(rows), ...last]) await tx.unsafe(statement);
    });
    done?.(to);
  }
  for (const index of indexes) await sql.unsafe(index);
  await sql.unsafe("vacuum analyze");
}

/**
 * Drops every index that does not belong to a constraint, and disables foreign keys. Returns the statements that create
 * the indexes again.
 */
async function dropIndexes(sql: postgres.Sql): Promise<string[]> {
  await sql`set session_replication_role = replica`;
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and not c.relispartition
      and not exists (select from pg_constraint where conindid = i.indexrelid)`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  // A partitioned table lists an index once; without ONLY the statement creates it in all partitions.
  return indexes.map(({ definition }) => definition.replace(" ON ONLY ", " ON "));
}

/** Which rows to make: of how many accounts, and which transfers. */
export interface Rows {
  chainId: number;
  accounts: number;
  from: number;
  to: number;
}

/** Accounts, each with an agent, a key, a schedule and a payout. */
function people({ chainId, accounts }: Rows): string[] {
  const each = `from generate_series(1::bigint, ${accounts}) n`;
  return [
    `insert into accounts (id, handle, address, type, created_at)
      select pg_temp.id('acct_', n), 'seed' || n, pg_temp.place(n), 'business', now() ${each}`,
    `insert into accounts (id, handle, address, type, owner_id, chain_id, created_at)
      select pg_temp.id('acct_', ${accounts} + n), 'seed' || n || '/bot', pg_temp.place(-n), 'agent',
        pg_temp.id('acct_', n), ${chainId}, now() ${each}`,
    `insert into agents (account_id, chain_id, status, wallet, secret_version)
      select pg_temp.id('acct_', ${accounts} + n), ${chainId}, 'active', '', 1 ${each}`,
    `insert into spend_policies (id, holder_id, chain_id, daily_limit, per_transaction_limit, hitl_threshold,
        allowed_recipients, assets, active_hours, time_zone, limits, salt, version, resolved, any_recipient, updated_at)
      select pg_temp.id('pol_', n), pg_temp.id('acct_', ${accounts} + n), ${chainId}, 0, 0, 0, '[]', '["USDG"]',
        '00:00-24:00', 'UTC', '{}', pg_temp.bytes32(n, 'salt'), 1, '[]', false, now() ${each}`,
    `insert into ledger_accounts (chain_id, address, viewing_key, signer, until, enrolled_block)
      select ${chainId}, pg_temp.place(n), pg_temp.bytes32(n, 'x'), pg_temp.place(-n), 0, 1 ${each}`,
    `insert into ledger_accounts (chain_id, address, viewing_key, signer, until, owner, enrolled_block)
      select ${chainId}, pg_temp.place(-n), pg_temp.bytes32(n, 'x'), pg_temp.place(-n), 0, pg_temp.place(n), 1 ${each}`,
    `insert into deposited_balances (chain_id, account, asset, units)
      select ${chainId}, pg_temp.place(n), pg_temp.place(0), n ${each}`,
    `insert into available_balances (chain_id, account, asset)
      select ${chainId}, pg_temp.place(n), pg_temp.place(0) ${each}`,
    `insert into available_commitments (chain_id, account, asset, commitment)
      select ${chainId}, pg_temp.place(n), pg_temp.place(0), pg_temp.bytes32(n, 'new') ${each}`,
    `insert into available_states (chain_id, account, asset, old_commitment, commitment, encrypted, flag, secret_version, status,
        created_at)
      select ${chainId}, pg_temp.place(n), pg_temp.place(0), pg_temp.bytes32(n, 'old'), pg_temp.bytes32(n, 'new'), '', '', 1,
        'final', now() ${each}`,
    `insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at)
      select pg_temp.id('key_', n), pg_temp.id('acct_', n), ${chainId}, pg_temp.bytes32(n, 'key'), 'hc_test_', '0000',
        'seed', 1, now() ${each}`,
    // Revoked keys, which stay for the lists.
    `insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at, revoked_at)
      select pg_temp.id('key_', ${accounts} + n), pg_temp.id('acct_', case n % 2 when 0 then ${BUSY} else n end), ${chainId},
        pg_temp.bytes32(n, 'revoked'), 'hc_test_', '0000', 'seed', 1, at, at
      ${each}, lateral (select now() - interval '1 day' - n * interval '1 minute' as at) each`,
    `insert into idempotency_keys (key_id, key, fingerprint, attempt, started_at, created_at)
      select pg_temp.id('key_', case n % 2 when 0 then ${BUSY} else n end), 'k' || n, pg_temp.bytes32(n, 'body'), 'a', now(), now()
      ${each}`,
    `insert into audit_heads (root_id, chain_id, position, hash)
      select pg_temp.id('acct_', n), ${chainId}, 0, '' ${each}`,
    `insert into schedules (id, chain_id, account_id, status, version, encrypted, secret_version, window_seconds,
        created_at, updated_at)
      select pg_temp.id('sch_', n), ${chainId}, pg_temp.id('acct_', case n % 2 when 0 then ${BUSY} else n end), 'ended',
        1, '', 1, 3600, now(), now() ${each}`,
    `insert into schedule_runs (id, schedule_id, chain_id, account_id, date, due_at, window_ends_at, status, created_at)
      select pg_temp.id('run_', n), pg_temp.id('sch_', n), ${chainId},
        pg_temp.id('acct_', case n % 2 when 0 then ${BUSY} else n end), '2026-01-01', at, at, 'missed', at
        ${each}, lateral (select now() - n * interval '10 minutes' as at) each`,
    `insert into payouts (id, chain_id, account_id, status, rows, asked_by, idempotency_key, fingerprint, encrypted_key,
        secret_version, working_until, created_at)
      select pg_temp.id('po_', n), ${chainId}, pg_temp.id('acct_', case n % 2 when 0 then ${BUSY} else n end),
        'finished', 2, 'wallet', 'k' || n, '', '', 1, now(), now() - n * interval '1 second' ${each}`,
    `insert into payout_rows (payout_id, row, batch, place, note, encrypted, status, alone)
      select pg_temp.id('po_', n), row, 0, row, pg_temp.bytes32(2 * n + row, 'row'), '', 'paid', false
      ${each}, generate_series(1, 2) row`,
    `insert into jobs (name, key, input, next_run)
      select 'payment-keys.warn', 'seed' || n, '{}', now() + interval '300 days' ${each}`,
    `insert into webhooks (id, root_id, chain_id, url, events, enabled, created_at)
      select pg_temp.id('wh_', n), pg_temp.id('acct_', n), ${chainId}, 'https://hooks.example.com/', '{}', false, now()
      ${each}`,
  ];
}

/** Transfers, one in ten of them failed, with the related rows. */
function payments({ chainId, accounts, from, to }: Rows): string[] {
  const each = `from (
    select n, case n % 2 when 0 then ${BUSY} else n % ${accounts} + 1 end as payer,
      case n % 4 when 1 then ${BUSY} else (n * 7) % ${accounts} + 1 end as payee,
      pg_temp.at(n) as at
    from generate_series(${from}::bigint, ${to}) n) each`;
  return [
    `insert into operations (id, chain_id, kind, status, account, target, data, gas, deadline, relayer, created_at,
        settled_at, reconciled_at)
      select pg_temp.id('op_', n), ${chainId}, 'transfer', case n % 10 when 0 then 'failed' else 'confirmed' end,
        pg_temp.place(payer), pg_temp.place(0), '', 1, at, pg_temp.place(n % 4), at, at, at ${each}`,
    `insert into outgoing_transactions (operation_id, chain_id, relayer, nonce, hash, raw, status, created_at)
      select pg_temp.id('op_', n), ${chainId}, pg_temp.place(n % 4), n, pg_temp.bytes32(n, 'tx'), '', 'mined', at ${each}`,
    `insert into ledger_payments (chain_id, block_number, log_index, kind, payer, asset, recipient, known_by, new_commitment,
        tx_hash)
      select ${chainId}, n + 1000000000, 0, 'transfer', pg_temp.place(payer), pg_temp.place(0), pg_temp.place(payee),
        pg_temp.bytes32(n, 'note'), pg_temp.bytes32(n, 'new'), pg_temp.bytes32(n, 'tx') ${each}`,
    `insert into notes (chain_id, account, asset, note, source, sender, ciphertext, block_number, log_index, tx_hash,
        spent)
      select ${chainId}, pg_temp.place(payee), pg_temp.place(0), pg_temp.bytes32(n, 'note'), 'transfer',
        pg_temp.place(payer), '', n + 1000000000, 0, pg_temp.bytes32(n, 'tx'), n % 3 = 0 ${each}`,
    `insert into transfers (id, chain_id, kind, status, payer_id, payer_root_id, recipient_id, recipient_root_id,
        recipient_address, to_given, asset, old_commitment, new_commitment, note, payer_ciphertext, operation_id, tx_hash,
        created_at, confirmed_at, client_signed, key_id, reference, payment_id, refund_of, payment_request_id, payout_id,
        schedule_run_id)
      select pg_temp.id('tr_', n), ${chainId}, case n % 40 when 4 then 'release' when 6 then 'fund' else 'transfer' end, case n % 10 when 0 then 'failed' else 'confirmed' end,
        pg_temp.id('acct_', payer), pg_temp.id('acct_', payer), pg_temp.id('acct_', payee), pg_temp.id('acct_', payee),
        pg_temp.place(payee), '@seed' || payee, pg_temp.place(0), pg_temp.bytes32(n, 'old'), pg_temp.bytes32(n, 'new'),
        case when n % 40 not in (4, 6) then pg_temp.bytes32(n, 'note') end, '', pg_temp.id('op_', n), pg_temp.bytes32(n, 'tx'), at,
        at, false, pg_temp.id('key_', payer), case n % 4 when 0 then 'order-' || n end,
        case when n % 40 in (4, 6) then pg_temp.bytes32(n, 'note') end, case n % 40 when 8 then pg_temp.id('tr_', n - 3) end,
        case n % 40 when 12 then pg_temp.id('payreq_', n) end, case n % 40 when 14 then pg_temp.id('po_', 2) end,
        case n % 40 when 18 then pg_temp.id('run_', 2 * (1 + n / 800)) end ${each}`,
    `insert into events (id, account_id, root_id, chain_id, type, payload, created_at)
      select pg_temp.id('evt_', n), pg_temp.id('acct_', payer), pg_temp.id('acct_', payer), ${chainId},
        'transfer.confirmed', '{}', at ${each}`,
    `insert into api_requests (id, root_id, chain_id, key_id, method, route, status, duration_ms)
      select pg_temp.id('req_', n), pg_temp.id('acct_', payer), ${chainId}, pg_temp.id('key_', payer), 'POST',
        '/v1/transfers', case n % 100 when 0 then 503 else 201 end, 12 ${each}`,
    `insert into webhook_deliveries (id, webhook_id, event_id, event, url, trigger, status, attempt, response_code,
        response_body, duration_ms, attempted_at, exhausted_at, due_at, created_at)
      select pg_temp.id('dlv_', n), pg_temp.id('wh_', payer), pg_temp.id('evt_', n), 'transfer.confirmed',
        'https://hooks.example.com/', 'automatic', case n % 100 when 0 then 'exhausted' else 'succeeded' end, 1, 200,
        'ok', 12, at, case n % 100 when 0 then at end, at, at ${each}`,
    `insert into audit_log (id, root_id, chain_id, position, actor_type, actor_id, action, target, created_at,
        previous_hash, hash)
      select pg_temp.id('aud_', n), pg_temp.id('acct_', payer), ${chainId}, n,
        case n % 5000 when 2 then 'agent' else 'key' end, pg_temp.id('key_', payer),
        'agent.paused', pg_temp.id('acct_', ${accounts} + payer), at, '', '' ${each}`,
    `insert into held_payments (id, chain_id, agent_id, root_id, status, to_given, recipient_address, asset, kind,
        encrypted, secret_version, key_id, requested_at, expires_at, decided_at)
      select pg_temp.id('txn_', n), ${chainId}, pg_temp.id('acct_', ${accounts} + payer), pg_temp.id('acct_', payer),
        case n % 2 when 0 then 'rejected' else 'expired' end, '@seed' || payee, pg_temp.place(payee), pg_temp.place(0),
        'transfer', '', 1, pg_temp.id('key_', payer), at, at + interval '1 day', at ${each} where n % 4 < 2`,
    `insert into event_sources (source) select 'seed ' || n ${each}`,
    `insert into exact_payments (transfer_id, chain_id, seller, return_to, valid_before, signature, return_signature, status)
      select pg_temp.id('tr_', n), ${chainId}, pg_temp.place(payee), pg_temp.place(payer), at, '', '', 'taken'
      ${each} where n % 40 = 4`,
    `insert into rebuilt_payments (transfer_id, chain_id, root_id, block, paid_at)
      select pg_temp.id('tr_', n), ${chainId}, pg_temp.id('acct_', payer), n, now() ${each} where n % 4 = 3 and payer <> ${BUSY}`,
    `insert into payment_requests (id, chain_id, account_id, payee, asset, status, envelope, link_key, signature,
        expires_at, created_at, reference)
      select pg_temp.id('payreq_', n), ${chainId}, pg_temp.id('acct_', payer), pg_temp.place(payer), pg_temp.place(0),
        case n % 3 when 0 then 'expired' else 'paid' end, '', '', '', at, at,
        case n % 4 when 0 then 'bill-' || n end ${each} where n % 4 < 2`,
    `insert into request_payments (transfer_id, request_id, state, created_at)
      select pg_temp.id('tr_', n), pg_temp.id('payreq_', n), 'exact', at ${each} where n % 4 < 2`,
  ];
}
