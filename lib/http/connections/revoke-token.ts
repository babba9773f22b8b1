import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "@/db/client";
import { connections } from "@/db/schema/connections";
import { apiKeys } from "@/db/schema/keys";
import { endKey } from "@/lib/accounts/keys/end-key";
import type { ChainId } from "@/lib/base/network";
import { SYSTEM } from "@/lib/events/audit/append";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { hashApiKey } from "@/lib/ledger/encrypted/api-key";
import { hashOf } from "./create-connection";

/**
 * Ends an access token at its application's request (RFC 7009). Silently ignores everything else: unknown tokens,
 * tokens of other applications, API keys.
 */
export async function revokeToken(token: string, clientId: string, now = new Date()): Promise<void> {
  await db().transaction(async (tx) => {
    const [found] = await tx
      .select({ id: apiKeys.id, rootId: apiKeys.accountId, chainId: apiKeys.chainId })
      .from(apiKeys)
      .innerJoin(connections, eq(connections.keyId, apiKeys.id))
      .where(
        and(
          eq(apiKeys.hash, toHex(hashApiKey(token))),
          isNotNull(apiKeys.audience),
          eq(connections.clientHash, hashOf(clientId)),
        ),
      );
    if (found) await endKey(tx, { ...found, chainId: found.chainId as ChainId }, SYSTEM, now);
  });
}
