import { sql } from "@/db/client";
import type { KeyContext } from "@/lib/context/context";

/**
 * Takes an `Idempotency-Key` for an agent's access token. Such a key belongs to an API key, and an application's tokens follow
 * each other by the hour: a repetition under the next one would pay a second time. So each counts for one token of the agent,
 * for two days.
 *
 * @returns false when another token of the agent has used it: what it asked for may have happened
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
