import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import { env } from "@/lib/base/env";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { decryptSecret, encryptSecret, KEY_ID_LENGTH, keyIdOf } from "./secrets";

const BATCH = 500;

/**
 * Encrypts every webhook's secrets that are still under `SECRETS_KEY_PREVIOUS` again, under `SECRETS_KEY`. Returns how
 * many endpoints there were. Safe to repeat, and to run while the service runs.
 */
export async function reencryptSecrets(): Promise<number> {
  const current = toHex(keyIdOf(env().secretsKey));
  const outdated = (column: typeof webhooks.secret | typeof webhooks.previousSecret): SQL =>
    sql`substring(${column} from 1 for ${KEY_ID_LENGTH}::int) <> decode(${current.slice(2)}, 'hex')`;
  const anew = (id: string, encrypted: Hex | null) => encrypted && encryptSecret(id, decryptSecret(id, encrypted));
  let count = 0;
  for (;;) {
    const rows = await db().transaction(async (tx) => {
      const found = await tx
        .select({ id: webhooks.id, secret: webhooks.secret, previousSecret: webhooks.previousSecret })
        .from(webhooks)
        .where(and(isNull(webhooks.deletedAt), or(outdated(webhooks.secret), outdated(webhooks.previousSecret))))
        .limit(BATCH)
        .for("update");
      for (const { id, secret, previousSecret } of found) {
        const values = { secret: anew(id, secret), previousSecret: anew(id, previousSecret) };
        await tx.update(webhooks).set(values).where(eq(webhooks.id, id));
      }
      return found.length;
    });
    count += rows;
    if (rows < BATCH) return count;
  }
}
