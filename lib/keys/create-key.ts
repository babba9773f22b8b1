import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/auth/context";
import { ApiError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { ApiKeyRecord } from "@/lib/keys/api-key";
import type { CreateKeyInput } from "@/lib/keys/schema";

/**
 * Registers a key the client made: its hash and wraps. The key's text is first seen when it is used.
 *
 * @throws ApiError `invalid_request` for a prefix of the other network, a past expiry, a known hash; `budget_changed`
 *   when the budget secret has been rotated meanwhile
 */
export async function createKey(ctx: SessionContext, input: CreateKeyInput, now = new Date()): Promise<ApiKeyRecord> {
  const refuse = (param: string, message: string) => new ApiError("invalid_request", message, { param });
  if (input.prefix !== `hc_${ctx.network}_`) throw refuse("prefix", "The key's prefix is of the other network.");
  if (input.expires_at && input.expires_at <= now) throw refuse("expires_at", "The expiry lies in the past.");
  const [settings] = await sql()<{ strict: boolean; secret_version: number }[]>`
    select strict, secret_version from account_networks where account_id = ${ctx.account.id} and chain_id = ${ctx.chainId}`;
  const { strict, secret_version: version } = settings ?? { strict: false, secret_version: 1 };
  if (input.secret_version !== version) {
    throw new ApiError("budget_changed", "The budget secret has been rotated. Derive the current one and try again.", {
      param: "secret_version",
    });
  }
  if (strict === Boolean(input.wrap)) {
    throw refuse("wrap", strict ? "In strict mode a key wraps no secret." : "Send the wrapped budget secret.");
  }
  const id = newId("key");
  const rows = await sql()`
    insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, wrap, flag_wrap, secret_version,
      created_at, expires_at)
    values (${id}, ${ctx.account.id}, ${ctx.chainId}, ${bytes(input.key_hash)}, ${input.prefix}, ${input.last_four},
      ${input.label}, ${input.wrap ? bytes(input.wrap) : null}, ${bytes(input.flag_wrap)}, ${version},
      ${now.toISOString()}, ${input.expires_at?.toISOString() ?? null})
    on conflict (hash) do nothing returning id`;
  if (rows.length === 0) throw refuse("key_hash", "A key with this hash exists. Generate a fresh key.");
  return {
    id,
    label: input.label,
    prefix: input.prefix,
    lastFour: input.last_four,
    createdAt: now,
    expiresAt: input.expires_at ?? null,
    revokedAt: null,
    lastUsedAt: null,
    requests: 0,
  };
}

const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");
