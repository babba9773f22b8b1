import { sql } from "@/db/client";
import type { KeyContext } from "@/lib/base/context/context";

/**
 * Claims an `Idempotency-Key` for an agent's access token. Elsewhere such a key belongs to one API key, but an
 * application gets a new token every hour, and a request repeated under the next token would pay a second time. So each
 * key can be used with only one of the agent's tokens, for two days.
 *
 * @returns false if another token of the agent has used the key, in which case its request may already have happened
 */
export async function claimRequest({ account, keyId }: KeyContext, idempotencyKey: string): Promise<boolean> {
  const claimed = await sql()<{ key_id: string }[]>`
    insert into token_requests (agent_id, key, key_id, created_at)
    values (${account.id}, ${idempotencyKey}, ${keyId}, now())
    on conflict (agent_id, key) do update set key_id = excluded.key_id, created_at = excluded.created_at
      where token_requests.key_id = excluded.key_id or token_requests.created_at < now() - interval '48 hours'
    returning key_id`;
  return claimed.length > 0;
}
