import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/base/context/context";
import { KEY_SCOPES, needsSecret } from "@/lib/base/key-scopes";

const OPENING = KEY_SCOPES.filter((scope) => needsSecret([scope]));

interface Row {
  opens: boolean;
  ended_at: string | null;
}

/**
 * Returns since when no key of the account or its agents lets the service decrypt a balance on the network: no plain key
 * that pays, and no access token of a connection; null while there is one. Blind keys, and keys that only read, let it
 * decrypt none.
 */
export async function blindSince({ account, chainId }: SessionContext): Promise<Date | null> {
  const [row] = await sql()<Row[]>`
    select coalesce(bool_or(wrap is not null and ended_at > now()), false) as opens,
      max(ended_at) filter (where ended_at <= now()) as ended_at
    from (
      select wrap, least(coalesce(revoked_at, 'infinity'), coalesce(expires_at, 'infinity')) as ended_at
      from api_keys where account_id = ${account.rootId} and chain_id = ${chainId} and request_key is null
        and (scopes is null or scopes && ${OPENING}::text[])
    ) k`;
  if (!row || row.opens) return null;
  return row.ended_at === null ? account.createdAt : new Date(row.ended_at);
}
