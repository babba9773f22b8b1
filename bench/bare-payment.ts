import { randomBytes, randomUUID } from "node:crypto";
import type postgres from "postgres";
import { connect } from "@/db/connect";
import { env } from "@/lib/base/env";
import { readConfig } from "@/scripts/stack/config";
import { ownerUrl } from "@/scripts/stack/postgres";
import { loadSecrets } from "@/scripts/stack/secrets";

/** The tables that a payment writes, copied with their indexes, so that no real payment is affected. */
const TABLES = [
  ...[
    "accounts",
    "api_keys",
    "ledger_accounts",
    "spend_policies",
    "account_networks",
    "available_balances",
    "available_states",
  ],
  ...["relay_usage", "relayers", "operations", "outgoing_transactions", "webhooks", "events", "transfers"],
];
const SCHEMA = "bare_payment";
const CHAIN = 46630;
/**
 * As many payments as are made at once: each has an account of its own, so that none waits for another's available
 * balance.
 */
const PAYERS = 16;
/** Sizes in bytes of what a payment signs and encrypts. */
const SIZE = { transaction: 1_100, call: 1_000, state: 80, copy: 124, recipientCopy: 120 };

/** What a payment that is proved writes in the place of random bytes. */
export interface Signed {
  hash: Buffer;
  raw: Buffer;
  data: Buffer;
}

/** Makes the writes of payments that go together, once `proved` has resolved, and returns what each response says. */
export type BareStatements = (count: number, proved?: () => Promise<Signed>) => Promise<unknown[]>;

/**
 * The baseline for payments: the statements of one `POST /v1/transfers` of an account without a policy, in one
 * transaction, with independent writes in parallel. No cryptography, no proof, no chain. A batch has a transfer and
 * its events for each payment, and one of everything else.
 */
export async function openBarePayments(): Promise<BareStatements> {
  const config = readConfig();
  const owner = ownerUrl(loadSecrets(config.data).postgresPassword, config.postgres.port);
  const sql = connect(owner, { max: env().databasePool, connection: { search_path: SCHEMA } });
  await sql.unsafe(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}`);
  for (const table of TABLES) {
    await sql.unsafe(`create table ${SCHEMA}.${table} (like public.${table} including all)`);
    await sql.unsafe(`insert into ${SCHEMA}.${table} select * from public.${table} limit 1000`);
  }
  const payers = await sql<Payer[]>`
    select distinct on (a.id) k.hash as key, a.id, a.address, b.asset,
      (select handle from accounts where chain_id is null and id <> a.id limit 1) as recipient
    from api_keys k join accounts a on a.id = k.account_id
      join available_balances b on b.account = a.address and b.chain_id = ${CHAIN}
    where k.chain_id = ${CHAIN} and k.revoked_at is null and k.agent_id is null
    order by a.id limit ${PAYERS}`;
  if (payers.length < PAYERS) throw new Error(`only ${payers.length} of ${PAYERS} accounts are ready to pay`);
  const free = [...payers];
  return async (count, proved = async () => random()) => {
    const payer = free.pop();
    if (!payer) throw new Error("more payments at once than accounts that are ready to pay");
    try {
      return await sql.begin((tx) => pay(tx, payer, count, proved));
    } finally {
      free.push(payer);
    }
  };
}

interface Payer {
  key: Buffer;
  id: string;
  address: Buffer;
  asset: Buffer;
  recipient: string;
}

const random = (): Signed => ({
  hash: randomBytes(32),
  raw: randomBytes(SIZE.transaction),
  data: randomBytes(SIZE.call),
});

async function pay(
  tx: postgres.TransactionSql,
  payer: Payer,
  count: number,
  proved: () => Promise<Signed>,
): Promise<unknown[]> {
  const { id, address, asset } = payer;
  const now = new Date().toISOString();
  const [key] = await tx`
    select k.id, k.hash, k.secret_version, a.id, a.handle, a.address, a.type, a.created_at, o.address as owner
    from api_keys k join accounts a on a.id = coalesce(k.agent_id, k.account_id)
      left join accounts o on o.id = a.owner_id
    where k.hash = ${payer.key} and k.chain_id = ${CHAIN} and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > ${now})`;
  const [recipient] = await tx<{ id: string; address: Buffer }[]>`
    select id, handle, address, type, owner_id from accounts where handle = ${payer.recipient} and chain_id is null`;
  if (!key || !recipient) throw new Error("the copied rows lack an account");
  const ledgerAccount = (of: Buffer) => tx`
    select viewing_key, signer, until, owner, nonce, policy_version, guarded, limited, encrypted_account_key, enrolled_block
    from ledger_accounts where chain_id = ${CHAIN} and address = ${of}`;
  await Promise.all([
    ledgerAccount(recipient.address),
    ledgerAccount(address),
    ledgerAccount(address),
    tx`select exists (select 1 from spend_policies where holder_id = ${id} and chain_id = ${CHAIN}) as limited,
      (select batch_payments from account_networks where account_id = ${id} and chain_id = ${CHAIN}) as batches`,
  ]);
  await tx`select lock_token, lock_until from available_balances
    where chain_id = ${CHAIN} and account = ${address} and asset = ${asset} for update`;
  await tx`select commitment, encrypted, flag, secret_version, status, operation_id from available_states
    where chain_id = ${CHAIN} and account = ${address} and asset = ${asset} and status in ('pending', 'final')
    order by id desc limit 1`;
  await tx`select wrap from api_keys where hash = ${payer.key} and revoked_at is null`;
  const { hash, raw, data } = await proved();
  await tx`insert into relay_usage (chain_id, account, day, operations, gas)
    values (${CHAIN}, ${address}, ${now.slice(0, 10)}, 1, 900000)
    on conflict (chain_id, account, day) do update
      set operations = relay_usage.operations + 1, gas = relay_usage.gas + excluded.gas returning operations, gas`;
  const [relayer] = await tx<{ address: Buffer; nonce: number }[]>`
    update relayers set next_nonce = next_nonce + 1
    where chain_id = ${CHAIN} and address = (select coalesce(
      (select relayer from operations where chain_id = ${CHAIN} and status = 'pending' and account = ${address}
        order by created_at desc limit 1),
      (select r.address from relayers r where r.chain_id = ${CHAIN} and r.position > -1 limit 1)))
    returning address, next_nonce as nonce`;
  if (!relayer) throw new Error("the copied rows lack a relayer");
  const [operation, commitment] = [randomUUID(), randomBytes(32)];
  const ids = Array.from({ length: count }, () => randomUUID());
  const eventRow = (transfer: string) => ({
    ...{ id: randomUUID(), account_id: id, root_id: id, chain_id: CHAIN, type: "transfer.initiated" },
    payload: JSON.stringify({ event: "transfer.initiated", transfer_id: transfer, created_at: now }),
    created_at: now,
  });
  await Promise.all([
    tx`select id, root_id, chain_id, url, events from webhooks where root_id = ${id} and enabled and deleted_at is null`,
    tx`select pg_notify('bare_payment', ${operation})`,
    tx`insert into events ${tx(ids.flatMap((transfer) => [eventRow(transfer), eventRow(transfer)]))}`,
    tx`insert into available_states ${tx({
      ...{
        chain_id: CHAIN,
        account: address,
        asset,
        old_commitment: commitment,
        commitment,
        encrypted: randomBytes(SIZE.state),
      },
      ...{ flag: randomBytes(SIZE.state), secret_version: 1, status: "past", operation_id: operation, created_at: now },
    })}`,
    tx`insert into transfers ${tx(
      ids.map((transfer) => ({
        ...{ id: transfer, chain_id: CHAIN, kind: "transfer", status: "pending", payer_id: id, payer_root_id: id },
        ...{ recipient_id: recipient.id, recipient_root_id: recipient.id, recipient_address: recipient.address },
        ...{
          to_given: payer.recipient,
          asset,
          old_commitment: commitment,
          new_commitment: commitment,
          note: randomBytes(32),
        },
        ...{ recipient_ciphertext: randomBytes(SIZE.recipientCopy), payer_ciphertext: randomBytes(SIZE.copy) },
        ...{ key_id: "key", operation_id: operation, tx_hash: hash, created_at: now, client_signed: false },
      })),
    )}`,
    tx`insert into operations ${tx({
      ...{ id: operation, chain_id: CHAIN, kind: "transfer", status: "pending", account: address, target: address },
      ...{ data, value: "0", gas: "900000", deadline: now, policy_version: "0" },
      ...{ relayer: relayer.address, created_at: now },
    })}`,
    tx`insert into outgoing_transactions ${tx({
      ...{ operation_id: operation, chain_id: CHAIN, relayer: relayer.address, nonce: relayer.nonce, hash },
      ...{ raw, status: "signed", created_at: now },
    })}`,
  ]);
  const txHash = `0x${hash.toString("hex")}`;
  return ids.map((id) => ({ transfer_id: id, status: "pending", to: payer.recipient, tx_hash: txHash }));
}
