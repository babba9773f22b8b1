import { BUSY } from "./busy-account";
import type { Rows } from "./seed-rows";

/**
 * Returns the statements for what every account has beside its payments: settings, devices, sessions, views, counts.
 */
export function sideRows({ chainId, accounts }: Pick<Rows, "chainId" | "accounts">): string[] {
  const each = `from generate_series(1::bigint, ${accounts}) n`;
  const account = "pg_temp.id('acct_', n)";
  return [
    `insert into account_networks (account_id, chain_id, kyc_status) select ${account}, ${chainId}, 'verified' ${each}`,
    `insert into payment_key_warnings (chain_id, address, payment_key_until, days, created_at)
      select ${chainId}, pg_temp.place(n), 0, 0, now() ${each}`,
    `insert into account_key_backups (id, account_id, chain_id, kind, label, encrypted, created_at)
      select pg_temp.id('bak_', n), ${account}, ${chainId}, 'recovery_code', 'seed', '', now() ${each}`,
    `insert into shown_funds (account_id, chain_id, version, encrypted, changed_at)
      select ${account}, ${chainId}, 1, '', now() ${each}`,
    `insert into sessions (token_hash, address, created_at, expires_at)
      select pg_temp.bytes32(n, 'session'), pg_temp.place(n), now(), now() + interval '30 days' ${each}`,
    `insert into siwe_nonces (nonce, expires_at) select 'seed' || n, now() + interval '30 days' ${each}`,
    `insert into open_offers (agent_id, name, encrypted, created_at)
      select pg_temp.id('acct_', ${accounts} + n), pg_temp.bytes32(n, 'offer'), '', now() ${each}`,
    `insert into token_requests (agent_id, key, key_id, created_at)
      select pg_temp.id('acct_', ${accounts} + n), 'k', pg_temp.id('key_', n), now() ${each}`,
    `insert into shared_views (id, account_id, chain_id, label, encrypted, created_at, expires_at)
      select pg_temp.id('view_', 1000 + n), ${account}, ${chainId}, 'seed', '', now(), now() + interval '30 days' ${each}`,
    `insert into connections (id, account_id, chain_id, key_id, application, client_hash, redirect_uri, code_hash,
        code_challenge, code_expires_at, code_used_at, created_at)
      select pg_temp.id('con_', 1000 + n), ${account}, ${chainId}, pg_temp.id('key_', n), 'Seed', '',
        'https://app.example.com/', pg_temp.bytes32(n, 'other code'), '', now(), now(), now() ${each} where n <> ${BUSY}`,
    `insert into identity_checks (provider, reference, account_id, chain_id, state, created_at, read_at)
      select 'stripe', 'seed' || n, ${account}, ${chainId}, 'verified', now(), now() ${each}`,
    `insert into screened_addresses (address, is_listed, screened_at) select pg_temp.place(n), false, now() ${each}`,
    `insert into relay_usage (chain_id, account, day, operations, gas)
      select ${chainId}, pg_temp.place(n), current_date, 1, 1 ${each}`,
    `insert into rate_limits (bucket, full_at, granted) select 'seed' || n, now(), 1 ${each}`,
    `insert into notification_emails (id, root_id, chain_id, encrypted, state, unsubscribe_hash, created_at, changed_at)
      select pg_temp.id('eml_', n), ${account}, ${chainId}, '', 'confirmed', pg_temp.bytes32(n, 'unsubscribe'), now(), now()
      ${each} where n <> ${BUSY}`,
    `insert into push_devices (id, root_id, chain_id, endpoint_hash, encrypted, service, created_at)
      select pg_temp.id('dev_', n), ${account}, ${chainId}, pg_temp.bytes32(n, 'endpoint'), '', 'push.example.com', now() ${each}`,
    `insert into notification_settings (root_id, chain_id, email_kinds, push_kinds)
      select ${account}, ${chainId}, '{}', '{}' ${each}`,
    `insert into notification_sends (target, kind, cause, sent_at)
      select pg_temp.id('dev_', n), 'approval_needed', 'seed', now() ${each}`,
    `insert into noticed_things (kind, subject, noticed_at)
      select 'approval_expiring', pg_temp.id('txn_', n), now() ${each}`,
    `insert into local_mail (root_id, chain_id, message_id, recipient, subject, plain, html, headers, created_at)
      select ${account}, ${chainId}, 'seed ' || n, '', '', '', '', '{}', now() ${each}`,
    `insert into api_key_usage (key_id, day, requests) select pg_temp.id('key_', n), current_date, 1 ${each}`,
    `insert into audit_checkpoints (root_id, chain_id, position, hash) select ${account}, ${chainId}, 0, '' ${each}`,
    `insert into audit_anchors (chain_id, day, nonce, seed, root, tx_hash, raw, created_at)
      values (${chainId}, 20000, 0, pg_temp.bytes32(0, 'seed'), pg_temp.bytes32(0, 'root'), pg_temp.bytes32(0, 'anchor'), '', now())
      on conflict do nothing`,
    `insert into audit_anchors_final (chain_id, day) values (${chainId}, 20000) on conflict do nothing`,
    `insert into audit_anchor_leaves (chain_id, root_id, position, hash, day)
      select ${chainId}, ${account}, 1, pg_temp.bytes32(n, 'leaf'), 20000 ${each}`,
  ];
}
