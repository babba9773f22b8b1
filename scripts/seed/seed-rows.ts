import type postgres from "postgres";

/** Rows are inserted so many transfers at a time. */
const BATCH = 100_000;
/** Transfers for each account. */
const EACH = 5;

/** What was made up: the account that half of everything belongs to, by its position. */
export const BUSY = 1;

/** The id of a made-up row; ids sort as their numbers do. */
export const seedId = (prefix: string, n: number): string => `${prefix}01K${String(n).padStart(23, "0")}`;

/** The address of a made-up account, as SQL. */
const NAMES = `
  create or replace function pg_temp.word(n bigint, tag text) returns bytea immutable language sql
    as $$ select sha256((tag || n)::bytea) $$;
  create or replace function pg_temp.place(n bigint) returns bytea immutable language sql
    as $$ select substr(pg_temp.word(n, 'address'), 1, 20) $$;
  create or replace function pg_temp.id(prefix text, n bigint) returns text immutable language sql
    as $$ select prefix || '01K' || lpad(n::text, 23, '0') $$;`;

/**
 * Adds rows as months of payments leave them, of made-up accounts whose amounts no one can decrypt: every second belongs
 * to one busy account, the others to many.
 *
 * @param sql one connection, as the role that owns the tables
 * @param transfers how many; of the other tables as many as go with them
 * @param done called with how many transfers there are so far
 */
export async function seedRows(
  sql: postgres.Sql,
  { chainId, transfers, done }: { chainId: number; transfers: number; done?: (transfers: number) => void },
): Promise<void> {
  await sql.unsafe(NAMES);
  const accounts = Math.ceil(transfers / EACH);
  for (let from = 1; from <= transfers; from += BATCH) {
    const to = Math.min(from + BATCH - 1, transfers);
    const rows = { chainId, accounts, from, to };
    await sql.begin(async (tx) => {
      for (const statement of [...(from === 1 ? people(rows) : []), ...payments(rows)]) await tx.unsafe(statement);
    });
    done?.(to);
  }
  await sql.unsafe("vacuum analyze");
}

interface Rows {
  chainId: number;
  accounts: number;
  from: number;
  to: number;
}

/** Accounts with an agent, a key, a schedule and a payout each. */
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
        '00:00-24:00', 'UTC', '{}', pg_temp.word(n, 'salt'), 1, '[]', false, now() ${each}`,
    `insert into ledger_accounts (chain_id, address, viewing_key, signer, until, enrolled_block)
      select ${chainId}, pg_temp.place(n), pg_temp.word(n, 'x'), pg_temp.place(-n), 0, 1 ${each}`,
    `insert into ledger_accounts (chain_id, address, viewing_key, signer, until, owner, enrolled_block)
      select ${chainId}, pg_temp.place(-n), pg_temp.word(n, 'x'), pg_temp.place(-n), 0, pg_temp.place(n), 1 ${each}`,
    `insert into credits (chain_id, account, asset, units)
      select ${chainId}, pg_temp.place(n), pg_temp.place(0), n ${each}`,
    `insert into budgets (chain_id, account, asset)
      select ${chainId}, pg_temp.place(n), pg_temp.place(0) ${each}`,
    `insert into budget_words (chain_id, account, asset, word)
      select ${chainId}, pg_temp.place(n), pg_temp.place(0), pg_temp.word(n, 'new') ${each}`,
    `insert into budget_states (chain_id, account, asset, old_word, word, sealed, flag, secret_version, status,
        created_at)
      select ${chainId}, pg_temp.place(n), pg_temp.place(0), pg_temp.word(n, 'old'), pg_temp.word(n, 'new'), '', '', 1,
        'final', now() ${each}`,
    `insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at)
      select pg_temp.id('key_', n), pg_temp.id('acct_', n), ${chainId}, pg_temp.word(n, 'key'), 'hc_test_', '0000',
        'seed', 1, now() ${each}`,
    `insert into idempotency_keys (key_id, key, fingerprint, attempt, started_at, created_at)
      select pg_temp.id('key_', n), 'k', pg_temp.word(n, 'body'), 'a', now(), now() ${each}`,
    `insert into audit_heads (root_id, chain_id, position, hash)
      select pg_temp.id('acct_', n), ${chainId}, 0, '' ${each}`,
    `insert into schedules (id, chain_id, account_id, status, version, sealed, secret_version, window_seconds,
        created_at, updated_at)
      select pg_temp.id('sch_', n), ${chainId}, pg_temp.id('acct_', case n % 2 when 0 then ${BUSY} else n end), 'ended',
        1, '', 1, 3600, now(), now() ${each}`,
    `insert into schedule_runs (id, schedule_id, chain_id, account_id, date, due_at, window_ends_at, status, created_at)
      select pg_temp.id('run_', n), pg_temp.id('sch_', n), ${chainId},
        pg_temp.id('acct_', case n % 2 when 0 then ${BUSY} else n end), '2026-01-01', now(), now(), 'missed', now() ${each}`,
    `insert into payouts (id, chain_id, account_id, status, rows, asked_by, idempotency_key, fingerprint, sealed_key,
        secret_version, working_until, created_at)
      select pg_temp.id('po_', n), ${chainId}, pg_temp.id('acct_', case n % 2 when 0 then ${BUSY} else n end),
        'finished', 2, 'wallet', 'k' || n, '', '', 1, now(), now() - n * interval '1 second' ${each}`,
    `insert into payout_rows (payout_id, row, batch, place, note, sealed, status, alone)
      select pg_temp.id('po_', n), row, 0, row, pg_temp.word(2 * n + row, 'row'), '', 'paid', false
      ${each}, generate_series(1, 2) row`,
    `insert into jobs (name, key, input, next_run)
      select 'spenders.warn', 'seed' || n, '{}', now() + interval '300 days' ${each}`,
    `insert into webhooks (id, root_id, chain_id, url, events, enabled, created_at)
      select pg_temp.id('wh_', n), pg_temp.id('acct_', n), ${chainId}, 'https://hooks.example.com/', '{}', false, now()
      ${each}`,
  ];
}

/** Transfers, every tenth of which failed, and what each leaves behind. */
function payments({ chainId, accounts, from, to }: Rows): string[] {
  const each = `from (
    select n, case n % 2 when 0 then ${BUSY} else n % ${accounts} + 1 end as payer, (n * 7) % ${accounts} + 1 as payee,
      now() - interval '300 days' + n * interval '1 second' as at
    from generate_series(${from}::bigint, ${to}) n) each`;
  return [
    `insert into operations (id, chain_id, kind, status, account, target, data, gas, deadline, relayer, created_at,
        settled_at, reconciled_at)
      select pg_temp.id('op_', n), ${chainId}, 'transfer', case n % 10 when 0 then 'failed' else 'confirmed' end,
        pg_temp.place(payer), pg_temp.place(0), '', 1, at, pg_temp.place(n % 4), at, at, at ${each}`,
    `insert into outgoing_transactions (operation_id, chain_id, relayer, nonce, hash, raw, status, created_at)
      select pg_temp.id('op_', n), ${chainId}, pg_temp.place(n % 4), n, pg_temp.word(n, 'tx'), '', 'mined', at ${each}`,
    `insert into ledger_payments (chain_id, block_number, log_index, kind, payer, asset, recipient, known_by, new_word,
        tx_hash)
      select ${chainId}, n + 1000000000, 0, 'transfer', pg_temp.place(payer), pg_temp.place(0), pg_temp.place(payee),
        pg_temp.word(n, 'note'), pg_temp.word(n, 'new'), pg_temp.word(n, 'tx') ${each}`,
    `insert into notes (chain_id, account, asset, note, source, sender, ciphertext, block_number, log_index, tx_hash,
        spent)
      select ${chainId}, pg_temp.place(payee), pg_temp.place(0), pg_temp.word(n, 'note'), 'transfer',
        pg_temp.place(payer), '', n + 1000000000, 0, pg_temp.word(n, 'tx'), n % 3 = 0 ${each}`,
    `insert into transfers (id, chain_id, kind, status, payer_id, payer_root_id, recipient_id, recipient_root_id,
        recipient_address, to_given, asset, old_word, new_word, note, payer_ciphertext, operation_id, tx_hash,
        created_at, confirmed_at, prepared, key_id, reference)
      select pg_temp.id('tr_', n), ${chainId}, 'transfer', case n % 10 when 0 then 'failed' else 'confirmed' end,
        pg_temp.id('acct_', payer), pg_temp.id('acct_', payer), pg_temp.id('acct_', payee), pg_temp.id('acct_', payee),
        pg_temp.place(payee), '@seed' || payee, pg_temp.place(0), pg_temp.word(n, 'old'), pg_temp.word(n, 'new'),
        pg_temp.word(n, 'note'), '', pg_temp.id('op_', n), pg_temp.word(n, 'tx'), at, at, false,
        pg_temp.id('key_', payer), case n % 4 when 0 then 'order-' || n end ${each}`,
    `insert into events (id, account_id, root_id, chain_id, type, payload, created_at)
      select pg_temp.id('evt_', n), pg_temp.id('acct_', payer), pg_temp.id('acct_', payer), ${chainId},
        'transfer.confirmed', '{}', at ${each}`,
    `insert into webhook_deliveries (id, webhook_id, event_id, event, url, trigger, status, attempt, response_code,
        response_body, duration_ms, attempted_at, exhausted_at, due_at, created_at)
      select pg_temp.id('dlv_', n), pg_temp.id('wh_', payer), pg_temp.id('evt_', n), 'transfer.confirmed',
        'https://hooks.example.com/', 'automatic', case n % 100 when 0 then 'exhausted' else 'succeeded' end, 1, 200,
        'ok', 12, at, case n % 100 when 0 then at end, at, at ${each}`,
    `insert into audit_log (id, root_id, chain_id, position, actor_type, actor_id, action, target, created_at,
        previous_hash, hash)
      select pg_temp.id('aud_', n), pg_temp.id('acct_', payer), ${chainId}, n, 'key', pg_temp.id('key_', payer),
        'agent.paused', pg_temp.id('acct_', ${accounts} + payer), at, '', '' ${each}`,
    `insert into held_payments (id, chain_id, agent_id, root_id, status, to_given, recipient_address, asset, kind,
        sealed, secret_version, key_id, requested_at, expires_at, decided_at)
      select pg_temp.id('txn_', n), ${chainId}, pg_temp.id('acct_', ${accounts} + payer), pg_temp.id('acct_', payer),
        case n % 2 when 0 then 'rejected' else 'expired' end, '@seed' || payee, pg_temp.place(payee), pg_temp.place(0),
        'transfer', '', 1, pg_temp.id('key_', payer), at, at + interval '1 day', at ${each} where n % 4 < 2`,
    `insert into payment_requests (id, chain_id, account_id, payee, asset, status, envelope, link_key, signature,
        expires_at, created_at)
      select pg_temp.id('payreq_', n), ${chainId}, pg_temp.id('acct_', payer), pg_temp.place(payer), pg_temp.place(0),
        case n % 3 when 0 then 'expired' else 'paid' end, '', '', '', at, at ${each} where n % 4 < 2`,
    `insert into request_payments (transfer_id, request_id, state, created_at)
      select pg_temp.id('tr_', n), pg_temp.id('payreq_', n), 'exact', at ${each} where n % 4 < 2`,
  ];
}
