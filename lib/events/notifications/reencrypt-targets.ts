import { eq, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { notificationEmails, pushDevices } from "@/db/schema/notifications";
import { env } from "@/lib/base/env";
import { decryptSecret, encryptSecret, KEY_ID_LENGTH, keyIdOf } from "@/lib/events/webhooks/secrets";
import { toHex } from "@/lib/ledger/crypto/bytes";

const BATCH = 500;

/**
 * Encrypts every address and device that is still under `SECRETS_KEY_PREVIOUS` again, under `SECRETS_KEY`. Returns how
 * many there were. Safe to repeat, and to run while the service runs.
 */
export async function reencryptTargets(): Promise<number> {
  const current = toHex(keyIdOf(env().secretsKey)).slice(2);
  let count = 0;
  for (const table of [notificationEmails, pushDevices] as const) {
    const outdated: SQL = sql`substring(${table.encrypted} from 1 for ${KEY_ID_LENGTH}::int) <> decode(${current}, 'hex')`;
    for (;;) {
      const rows = await db().transaction(async (tx) => {
        const found = await tx
          .select({ id: table.id, encrypted: table.encrypted })
          .from(table)
          .where(outdated)
          .limit(BATCH)
          .for("update");
        for (const { id, encrypted } of found) {
          const anew = encryptSecret(id, decryptSecret(id, encrypted));
          await tx.update(table).set({ encrypted: anew }).where(eq(table.id, id));
        }
        return found.length;
      });
      count += rows;
      if (rows < BATCH) break;
    }
  }
  return count;
}
