import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/auth/context";
import type { ApiKeyRecord } from "@/lib/keys/api-key";

interface Row {
  id: string;
  label: string;
  prefix: string;
  last_four: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  requests: number;
}

/** The account's keys on the network, revoked ones included, newest first. */
export async function listKeys(ctx: SessionContext): Promise<ApiKeyRecord[]> {
  const rows = await sql()<Row[]>`
    select k.id, k.label, k.prefix, k.last_four, k.created_at, k.expires_at, k.revoked_at, k.last_used_at,
      coalesce((select sum(u.requests) from api_key_usage u where u.key_id = k.id), 0)::float8 as requests
    from api_keys k where k.account_id = ${ctx.account.id} and k.chain_id = ${ctx.chainId}
    order by k.created_at desc, k.id desc`;
  const date = (text: string | null) => (text === null ? null : new Date(text));
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: new Date(row.created_at),
    expiresAt: date(row.expires_at),
    revokedAt: date(row.revoked_at),
    lastUsedAt: date(row.last_used_at),
    requests: row.requests,
  }));
}
