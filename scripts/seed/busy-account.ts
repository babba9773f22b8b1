import type { Rows } from "./seed-rows";

/** The position of the made-up account to which half of all rows belong. */
export const BUSY = 1;

/** How many rows the busy account has of each thing that a limit caps, or that the product deletes after some days. */
const CAPPED = 20;

/** Positions of what is open begin after this one. */
export const OPEN = 30_000_000;

/**
 * Returns the statements that give the busy account what does not grow with its history: what is open, what a limit
 * caps, and what is deleted after some days. The number is the same however many transfers there are; other accounts'
 * rows in the same tables are not (`sideRows`).
 */
export function busyAccount({ chainId, accounts }: Pick<Rows, "chainId" | "accounts">): string[] {
  const each = `from generate_series(1::bigint, ${CAPPED}) k`;
  const [account, address] = [`pg_temp.id('acct_', ${BUSY})`, `pg_temp.place(${BUSY})`];
  // Agents of the busy account beside its first: their positions follow those of all others.
  const agent = `${accounts} + ${accounts} + k`;
  return [
    `insert into accounts (id, handle, address, type, owner_id, chain_id, created_at)
      select pg_temp.id('acct_', ${agent}), 'seed${BUSY}/bot' || k, pg_temp.place(-(${agent})), 'agent', ${account}, ${chainId},
        now() ${each}`,
    `insert into agents (account_id, chain_id, status, wallet, secret_version)
      select pg_temp.id('acct_', ${agent}), ${chainId}, 'active', '', 1 ${each}`,
    `insert into spend_policies (id, holder_id, chain_id, daily_limit, per_transaction_limit, hitl_threshold,
        allowed_recipients, assets, active_hours, time_zone, limits, salt, version, resolved, any_recipient, updated_at)
      select pg_temp.id('pol_', ${agent}), pg_temp.id('acct_', ${agent}), ${chainId}, 0, 0, 0, '[]', '["USDG"]', '00:00-24:00',
        'UTC', '{}', pg_temp.bytes32(k, 'salt'), 1, '[]', false, now() ${each}`,
    `insert into ledger_accounts (chain_id, address, viewing_key, signer, until, owner, enrolled_block)
      select ${chainId}, pg_temp.place(-(${agent})), pg_temp.bytes32(k, 'x'), pg_temp.place(-(${agent})), 0, ${address}, 1 ${each}`,
    `insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at, expires_at)
      select pg_temp.id('key_', 3 * ${accounts} + k), ${account}, ${chainId}, pg_temp.bytes32(k, 'busy key'), 'hc_test_', '0000',
        'seed', 1, now(), now() + k * interval '1 day' ${each}`,
    `insert into api_keys (id, account_id, agent_id, chain_id, hash, prefix, last_four, label, secret_version, audience,
        created_at, expires_at)
      select pg_temp.id('key_', 4 * ${accounts} + k), ${account}, pg_temp.id('acct_', ${agent}), ${chainId},
        pg_temp.bytes32(k, 'token'), 'hc_test_', '0000', 'seed', 1, 'https://mcp.example.com', now(), now() + interval '30 days'
      ${each}`,
    `insert into api_key_usage (key_id, day, requests)
      select pg_temp.id('key_', ${BUSY}), current_date - k::int, 5 ${each}`,
    `insert into connections (id, account_id, chain_id, key_id, application, client_hash, redirect_uri, code_hash,
        code_challenge, code_expires_at, code_used_at, created_at)
      select pg_temp.id('con_', k), ${account}, ${chainId}, pg_temp.id('key_', 4 * ${accounts} + k), 'Seed', '',
        'https://app.example.com/', pg_temp.bytes32(k, 'code'), '', now(), now(), now() ${each}`,
    `insert into sessions (token_hash, address, created_at, expires_at)
      select pg_temp.bytes32(k, 'busy session'), ${address}, now(), now() + interval '30 days' ${each}`,
    `insert into shared_views (id, account_id, chain_id, label, encrypted, created_at, expires_at)
      select pg_temp.id('view_', k), ${account}, ${chainId}, 'seed', '', now(), now() + interval '30 days' ${each}`,
    `insert into held_payments (id, chain_id, agent_id, root_id, status, to_given, recipient_address, asset, kind, encrypted,
        secret_version, key_id, requested_at, expires_at, reference)
      select pg_temp.id('txn_', ${OPEN} + k), ${chainId}, pg_temp.id('acct_', ${accounts} + ${BUSY}), ${account}, 'pending_approval',
        '@seed2', pg_temp.place(2), pg_temp.place(0), 'transfer', '', 1, pg_temp.id('key_', ${BUSY}), now(),
        now() + interval '10 days', 'waits-' || k ${each}`,
    `insert into webhooks (id, root_id, chain_id, url, events, enabled, created_at)
      select pg_temp.id('wh_', ${accounts} + k), ${account}, ${chainId}, 'https://hooks.example.com/', '{}', true, now() ${each}`,
    `insert into webhook_deliveries (id, webhook_id, event_id, event, url, trigger, status, due_at, created_at)
      select pg_temp.id('dlv_', ${OPEN} + k), pg_temp.id('wh_', ${accounts} + 1), pg_temp.id('evt_', 2 * k), 'transfer.confirmed',
        'https://hooks.example.com/', 'automatic', 'pending', now() + interval '10 days', now() ${each}`,
    `insert into webhook_queue (delivery_id, webhook_id, event_id, trigger, due_at, created_at)
      select pg_temp.id('dlv_', ${OPEN} + k), pg_temp.id('wh_', ${accounts} + 1), pg_temp.id('evt_', 2 * k), 'automatic',
        now() + interval '10 days', now() ${each}`,
    `insert into payout_rows (payout_id, row, batch, place, note, encrypted, status, alone)
      select pg_temp.id('po_', 2), 2 + k, k / 16, k % 16, pg_temp.bytes32(k, 'busy row'), '', 'pending', false ${each}`,
    `insert into local_mail (root_id, chain_id, message_id, recipient, subject, plain, html, headers, created_at)
      select ${account}, ${chainId}, 'busy ' || k, '', '', '', '', '{}', now() ${each}`,
    `insert into rebuilt_payments (transfer_id, chain_id, root_id, block, paid_at)
      select pg_temp.id('tr_', 2 * k), ${chainId}, ${account}, k, now() ${each}`,
    // What is not final yet: so many at a time, whatever came before.
    `insert into operations (id, chain_id, kind, status, account, target, data, gas, deadline, relayer, created_at)
      select pg_temp.id('op_', ${OPEN} + k), ${chainId}, 'make_available', 'pending', ${address}, pg_temp.place(0), '', 1,
        now() + interval '10 days', pg_temp.place(1), now() ${each}`,
    `insert into outgoing_transactions (operation_id, chain_id, relayer, nonce, hash, raw, status, created_at, sent_at)
      select pg_temp.id('op_', ${OPEN} + k), ${chainId}, pg_temp.place(1), 2000000000 + k, pg_temp.bytes32(k, 'open tx'), '', 'sent',
        now() + interval '10 days', now() + interval '10 days' ${each}`,
    `insert into reservations (operation_id, chain_id, account, asset, deposited, notes)
      select pg_temp.id('op_', ${OPEN} + k), ${chainId}, ${address}, pg_temp.place(0), 0, '[]' ${each}`,
    `insert into schedules (id, chain_id, account_id, status, version, encrypted, secret_version, window_seconds, created_at,
        updated_at)
      select pg_temp.id('sch_', ${OPEN} + k), ${chainId}, ${account}, 'active', 1, '', 1, 3600, now(), now() ${each}`,
    `insert into schedule_runs (id, schedule_id, chain_id, account_id, date, due_at, window_ends_at, status, created_at)
      select pg_temp.id('run_', ${OPEN} + k), pg_temp.id('sch_', ${OPEN} + k), ${chainId}, ${account}, '2099-01-01', now(), now(), 'due', now()
      ${each}`,
    `insert into chain_cursors (chain_id, ledger, block_number, block_hash, block_time, whole)
      values (${chainId}, pg_temp.place(0), 1, pg_temp.bytes32(0, 'block'), now(), true) on conflict do nothing`,
    `insert into relayers (chain_id, address, position, next_nonce)
      select ${chainId}, pg_temp.place(n), n, 0 from generate_series(0, 3) n on conflict do nothing`,
  ];
}
