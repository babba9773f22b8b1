import type postgres from "postgres";
import { shortRead } from "@/db/client";
import type { ContextAccount } from "@/lib/base/context/context";
import type { KeyScope } from "@/lib/base/key-scopes";

/** A key that is not revoked, with the account or agent that it acts for. */
interface KeyRow {
  key_id: string;
  hash: Uint8Array;
  chain_id: number;
  /** Set for an access token: the address for which it works. */
  audience: string | null;
  /** In milliseconds since 1970. */
  expires_at: number | null;
  secret_version: number;
  scopes: KeyScope[] | null;
  allowed_ips: string[] | null;
  schedule_id: string | null;
  /** Set for a blind key. */
  request_key: Uint8Array | null;
  id: string;
  handle: string;
  address: Uint8Array;
  type: ContextAccount["type"];
  owner_id: string | null;
  owner_address: Uint8Array | null;
  created_at: string; // a string: drizzle disables the driver's date parsers
}

/** The look-ups of one turn of the event loop. */
interface Gathered {
  hashes: Set<string>;
  rows: Promise<Map<string, KeyRow>>;
}

let gathered: Gathered | undefined;

/**
 * Finds a key by its SHA-256, unless it is revoked. Requests that arrive in the same turn of the event loop share a
 * statement: under load, statements for keys would otherwise cost as much as the reads that follow them. The statement
 * is sent after all of them have arrived, so a key that was revoked before a request came is not found for it.
 */
export async function findKey(hash: Uint8Array): Promise<KeyRow | undefined> {
  const name = nameOf(hash);
  gathered ??= gather();
  gathered.hashes.add(name);
  return (await gathered.rows).get(name);
}

function gather(): Gathered {
  const hashes = new Set<string>();
  const sent = new Promise<void>((resolve) => setImmediate(resolve));
  const rows = sent.then(() => {
    gathered = undefined;
    return readKeys([...hashes]);
  });
  return { hashes, rows };
}

async function readKeys(hashes: readonly string[]): Promise<Map<string, KeyRow>> {
  const texts = hashes.map((hash) => `\\x${hash}`);
  const read = (sql: postgres.Sql) => sql<KeyRow[]>`
    select k.id as key_id, k.hash, k.chain_id, k.audience, (extract(epoch from k.expires_at) * 1000)::float8 as expires_at,
      k.secret_version, k.scopes, k.allowed_ips, k.schedule_id, k.request_key, a.id, a.handle, a.address, a.type, a.owner_id, a.created_at,
      o.address as owner_address
    from api_keys k join accounts a on a.id = coalesce(k.agent_id, k.account_id) left join accounts o on o.id = a.owner_id
    where k.hash = any((select ${texts}::text[])::bytea[]) and k.revoked_at is null`;
  const rows = await shortRead("keys", read);
  return new Map(rows.map((row) => [nameOf(row.hash), row]));
}

const nameOf = (hash: Uint8Array): string => Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("hex");
