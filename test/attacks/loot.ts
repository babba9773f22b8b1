import postgres from "postgres";
import { type Address, decodeFunctionData, type Hex } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { bigintToBytes, concat, fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { commitmentRefBytes, type Scope } from "@/lib/ledger/crypto/scope";
import { copyInfo } from "@/lib/ledger/encrypted/copy-info";
import { copyIn } from "@/lib/ledger/encrypted/copy-words";
import { PAYER_COPY_LENGTH } from "@/lib/ledger/encrypted/payer-copy";

/** Everything in a stolen database, by table. */
export type Loot = Map<string, Record<string, unknown>[]>;

/**
 * One ciphertext of the loot with everything about it that is not secret: its authenticated data and the label of its
 * key, or the recipient it is encrypted for. `inner`: its content is encrypted once more.
 */
export type Target = { kind: string; id: string; encrypted: Uint8Array } & (
  | { aad: Uint8Array; label: string; inner?: (text: Uint8Array) => Target }
  | { publicKey: Uint8Array; info: Uint8Array }
);

/** Returns every row of every table, in all schemas. */
export async function stealDatabase(url: string): Promise<Loot> {
  const sql = postgres(url, { max: 1 });
  try {
    const tables = await sql<{ schema: string; name: string }[]>`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
        -- A partition's rows are its table's.
        and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)`;
    const loot: Loot = new Map();
    for (const { schema, name } of tables) loot.set(name, await sql`select * from ${sql(schema)}.${sql(name)}`);
    return loot;
  } finally {
    await sql.end();
  }
}

/** Returns every ciphertext in the loot for one network. */
export function encryptedThings(loot: Loot, scope: Scope, heldKeys = new Map<string, Uint8Array>()): Target[] {
  const known = { loot, scope, heldKeys, ...directory(loot, scope) };
  const finders = [
    keyWraps,
    accessTokens,
    openOffers,
    encryptedAccountKeys,
    availableStates,
    notes,
    movesToAvailable,
    storedResponses,
    payments,
    wallets,
    heldPayments,
  ];
  return finders.flatMap((find) => find(known));
}

/** The rows of a table on the network of `scope`, or on both. */
function rows<T>({ loot, scope }: { loot: Loot; scope: Scope }, table: string): T[] {
  const all = (loot.get(table) ?? []) as (T & { chain_id?: number | null })[];
  return all.filter(({ chain_id: chainId }) => chainId == null || chainId === scope.chainId);
}

interface Known {
  loot: Loot;
  scope: Scope;
  heldKeys: ReadonlyMap<string, Uint8Array>;
  addressOf(accountId: string): Address;
  viewingKeyOf(address: Address): Uint8Array;
}

interface RecordRow {
  address: Buffer;
  viewing_key: Buffer;
  encrypted_account_key: Buffer | null;
}

function directory(loot: Loot, scope: Scope): Pick<Known, "addressOf" | "viewingKeyOf"> {
  const accounts = rows<{ id: string; address: Buffer }>({ loot, scope }, "accounts");
  const records = rows<RecordRow>({ loot, scope }, "ledger_accounts");
  const addresses = new Map(accounts.map(({ id, address }) => [id, toHex(address)]));
  const viewingKeys = new Map(records.map((record) => [toHex(record.address), record.viewing_key]));
  return {
    addressOf: (id) => addresses.get(id) ?? "0x",
    viewingKeyOf: (address) => viewingKeys.get(address) ?? new Uint8Array(32),
  };
}

/** A copy encrypted to the viewing key of `account`. */
function copy(
  { scope, viewingKeyOf }: Known,
  kind: string,
  role: "recipient" | "payer" | "batch" | "memo",
  ref: { account: Address; asset: Uint8Array; commitment: Uint8Array },
  encrypted: Uint8Array,
): Target {
  const id = toHex(ref.commitment);
  const info = copyInfo(role, { scope, account: ref.account, asset: toHex(ref.asset), commitment: BigInt(id) });
  return { kind, id, encrypted, publicKey: viewingKeyOf(ref.account), info };
}

interface KeyRow {
  id: string;
  account_id: string;
  agent_id: string | null;
  hash: Buffer;
  wrap: Buffer | null;
  flag_wrap: Buffer | null;
  request_key: Buffer | null;
  access_wrap: Buffer | null;
  home_wrap: Buffer | null;
  schedule_id: string | null;
  secret_version: number;
}

const ledgerBytes = ({ chainId, ledger }: Scope) => concat(bigintToBytes(BigInt(chainId), 32), fromHex(ledger));

/** What keys wrap, in the owner's layer and round that the service's. */
function keyWraps(known: Known): Target[] {
  return rows<KeyRow>(known, "api_keys").flatMap(
    ({ id, wrap, flag_wrap: flagWrap, access_wrap: access, home_wrap: home, ...key }) => {
      const holder = fromHex(known.addressOf(key.agent_id ?? key.account_id));
      const version = bigintToBytes(BigInt(key.secret_version), 4);
      const aad = concat(key.hash, holder, ledgerBytes(known.scope), version, utf8(key.schedule_id ?? ""));
      const layered = (kind: string, encrypted: Buffer, label: string, place: Uint8Array = aad): Target => {
        const layer = { kind, id, aad: place, label };
        return { ...layer, encrypted, inner: (text) => ({ ...layer, encrypted: text }) };
      };
      const blindAad = concat(aad, key.request_key ?? new Uint8Array());
      return [
        ...(access ? [layered("access wrap", access, "access wrap", blindAad)] : []),
        ...(home ? [{ kind: "home wrap", id, encrypted: home, aad: blindAad, label: "home wrap" }] : []),
        ...(wrap ? [layered("key wrap", wrap, "wrap")] : []),
        ...(flagWrap ? [layered("flag wrap", flagWrap, "flag wrap")] : []),
      ];
    },
  );
}

/** Access tokens that no application has fetched yet. */
function accessTokens(known: Known): Target[] {
  type Row = { id: string; key_id: string; code_hash: Buffer; encrypted_token: Buffer | null };
  const keys = new Map(rows<KeyRow>(known, "api_keys").map((key) => [key.id, key]));
  return rows<Row>(known, "connections").flatMap(
    ({ id, key_id: keyId, code_hash: code, encrypted_token: encrypted }) => {
      const key = keys.get(keyId);
      if (!encrypted || !key) return [];
      const holder = fromHex(known.addressOf(key.agent_id ?? key.account_id));
      const aad = concat(code, key.hash, holder, ledgerBytes(known.scope));
      return [{ kind: "access token", id, encrypted, aad, label: "connection code" }];
    },
  );
}

/** What agents remember of payments to sellers. */
function openOffers(known: Known): Target[] {
  type Row = { agent_id: string; name: Buffer; encrypted: Buffer };
  return rows<Row>(known, "open_offers").map(({ agent_id: agentId, name, encrypted }) => {
    const aad = concat(fromHex(known.addressOf(agentId)), name);
    return { kind: "open offer", id: toHex(name), encrypted, aad, label: "open offers" };
  });
}

/** Each account key's entries: after version and count, kind, nonce and encrypted account key of each. */
function encryptedAccountKeys(known: Known): Target[] {
  const length = 1 + 24 + 32 + 16;
  return rows<RecordRow>(known, "ledger_accounts").flatMap(({ address, encrypted_account_key: blob }) =>
    Array.from({ length: blob?.[1] ?? 0 }, (_, index) => {
      const entry = (blob ?? Buffer.alloc(0)).subarray(2 + index * length, 2 + (index + 1) * length);
      const ref = concat(ledgerBytes(known.scope), fromHex(known.scope.domainSalt), address);
      const aad = concat(Uint8Array.of(1), entry.subarray(0, 1), ref);
      const label = entry[0] === 1 ? "root by wallet" : "root by recovery code";
      return { kind: "encrypted account key", id: toHex(address), encrypted: entry.subarray(1), aad, label };
    }),
  );
}

function availableStates(known: Known): Target[] {
  type Row = Record<"account" | "asset" | "commitment" | "encrypted" | "flag", Buffer>;
  return rows<Row>(known, "available_states").flatMap(({ account, asset, commitment, encrypted, flag }) => {
    const id = toHex(commitment);
    const ref = { scope: known.scope, account: toHex(account), asset: toHex(asset), commitment: BigInt(id) };
    const aad = commitmentRefBytes(ref);
    return [
      { kind: "available balance state", id, encrypted, aad, label: "budget state" },
      { kind: "available balance flag", id, encrypted: flag, aad, label: "flag" },
    ];
  });
}

function notes(known: Known): Target[] {
  type Row = Record<"account" | "asset" | "note" | "ciphertext", Buffer> & { new_available: Buffer | null };
  return rows<Row>(known, "notes").map(({ account, asset, note, ciphertext, new_available: commitment }) => {
    const ref = { account: toHex(account), asset, commitment: commitment ?? note };
    return copy(known, commitment ? "change note" : "note", commitment ? "payer" : "recipient", ref, ciphertext);
  });
}

function movesToAvailable(known: Known): Target[] {
  const operations = rows<{ kind: string; data: Buffer }>(known, "operations");
  return operations.flatMap(({ kind, data }) => {
    if (kind !== "make_available") return [];
    const { args } = decodeFunctionData({ abi: ledgerAbi, data: toHex(data) });
    const [call] = args as unknown as [
      { account: Address; asset: Address; newAvailable: bigint; ciphertext: readonly Hex[] },
    ];
    const ref = {
      account: toHex(fromHex(call.account)),
      asset: fromHex(call.asset),
      commitment: bigintToBytes(call.newAvailable, 32),
    };
    return [
      copy(
        known,
        "move to the available balance's payer copy",
        "payer",
        ref,
        fromHex(copyIn(call.ciphertext, PAYER_COPY_LENGTH)),
      ),
    ];
  });
}

function storedResponses(known: Known): Target[] {
  const kept = rows<{ key_id: string; key: string; answer: Buffer | null }>(known, "idempotency_keys");
  return kept.flatMap(({ key_id: keyId, key, answer: encrypted }) => {
    const aad = utf8(`${keyId}/${key}`);
    return encrypted ? [{ kind: "idempotency answer", id: key, encrypted, aad, label: "idempotency answer" }] : [];
  });
}

interface TransferRow {
  id: string;
  payer_id: string;
  recipient_address: Buffer;
  asset: Buffer;
  new_commitment: Buffer;
  note: Buffer | null;
  recipient_ciphertext: Buffer | null;
  payer_ciphertext: Buffer;
  memo: Buffer | null;
  recipient_memo: Buffer | null;
  /** Its place among the payments of one operation; null: alone. */
  batch_index: number | null;
}

function payments(known: Known): Target[] {
  return rows<TransferRow>(known, "transfers").flatMap(
    ({ asset, note, memo, new_commitment: commitment, ...row }): Target[] => {
      const atPayer = { account: known.addressOf(row.payer_id), asset, commitment: commitment };
      const atRecipient = { account: toHex(row.recipient_address), asset, commitment: note ?? commitment };
      const { recipient_ciphertext: received, recipient_memo: recipientMemo } = row;
      return [
        copy(known, "payer copy", row.batch_index === null ? "payer" : "batch", atPayer, row.payer_ciphertext),
        ...(received ? [copy(known, "recipient copy", "recipient", atRecipient, received)] : []),
        ...(recipientMemo ? [copy(known, "recipient memo", "memo", atRecipient, recipientMemo)] : []),
        ...(memo ? [{ kind: "memo", id: row.id, encrypted: memo, aad: note ?? commitment, label: "memo" }] : []),
      ];
    },
  );
}

/** An agent's wallet key, in its owner's encryption and round that the service's. */
function wallets(known: Known): Target[] {
  const encrypted = rows<{ account_id: string; wallet: Buffer }>(known, "agents");
  return encrypted.map(({ account_id: id, wallet }) => {
    const aad = concat(ledgerBytes(known.scope), fromHex(known.addressOf(id)));
    const layer = { id, aad, label: "agent wallet" };
    const inner = (text: Uint8Array): Target => ({ ...layer, kind: "agent's wallet", encrypted: text });
    return { ...layer, kind: "agent's wallet", encrypted: wallet, inner };
  });
}

function heldPayments(known: Known): Target[] {
  type Row = { id: string; agent_id: string; root_id: string; asset: Buffer; encrypted: Buffer };
  return rows<Row>(known, "held_payments").map(({ id, agent_id: agentId, root_id: rootId, asset, encrypted }) => {
    const info = concat(
      utf8("halcyon/2/hpke/held"),
      ledgerBytes(known.scope),
      fromHex(known.addressOf(agentId)),
      asset,
      utf8(id),
    );
    return { kind: "held payment", id, encrypted, publicKey: known.heldKeys.get(rootId) ?? new Uint8Array(32), info };
  });
}
