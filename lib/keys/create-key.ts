import { db } from "@/db/client";
import type { SessionContext } from "@/lib/context/context";
import type { ApiKeyRecord } from "@/lib/keys/api-key";
import type { CreateKeyInput } from "@/lib/keys/schema";
import { addKey } from "./add-key";

/**
 * Registers a key the client made, of the account or of the agent the context acts for: its hash and wraps. The key's
 * text is first seen when it is used.
 *
 * @throws ApiError `invalid_request` for a prefix of the other network, a past expiry, a known hash, one key too many;
 *   `budget_changed` when the budget secret has been rotated meanwhile; `policy_not_in_force` for an agent that has ended
 */
export async function createKey(ctx: SessionContext, input: CreateKeyInput, now = new Date()): Promise<ApiKeyRecord> {
  return db().transaction((tx) => addKey(tx, ctx, input, now));
}
