import { db } from "@/db/client";
import type { ApiKeyRecord } from "@/lib/accounts/keys/api-key";
import type { CreateKeyInput } from "@/lib/accounts/keys/schema";
import type { SessionContext } from "@/lib/base/context/context";
import { scopeOf } from "@/lib/chain/scope-of";
import { addKey } from "./add-key";

/**
 * Registers a key that the client created, for the account or for the agent that the context acts for. The service gets
 * its hash and its encrypted secrets, and sees the key's text only when the key is used.
 *
 * @throws ApiError `invalid_request` for a prefix of the other network, a past expiry, a known hash or too many keys;
 *   `available_balance_changed` if the account secret has been rotated in the meantime; `policy_not_in_force` for an
 *   agent that has ended
 */
export async function createKey(ctx: SessionContext, input: CreateKeyInput, now = new Date()): Promise<ApiKeyRecord> {
  const scope = await scopeOf(ctx.chainId);
  return db().transaction((tx) => addKey(tx, ctx, scope, input, now));
}
