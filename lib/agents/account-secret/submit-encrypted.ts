import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { heldPayments } from "@/db/schema/agents";
import { secretRotated } from "@/lib/accounts/secret-version";
import { requireOwner } from "@/lib/agents/require-owner";
import type { SessionContext } from "@/lib/base/context/context";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { EncryptedInput } from "./schema";

/**
 * Takes held payments that the owner's client has encrypted again under the account's current secret. Each is taken
 * while it is still under an earlier version; one that is decided, gone or not the account's is left out, so submitting
 * the same again does no harm. It never depends on anything that is not in it.
 *
 * @returns how many were taken
 * @throws ApiError `available_balance_changed` when the secret has been rotated again meanwhile
 */
export async function submitEncrypted(ctx: SessionContext, input: EncryptedInput): Promise<{ held: number }> {
  requireOwner(ctx);
  return db().transaction(async (tx) => {
    const { chainId, account } = ctx;
    const [settings] = await tx
      .select({ version: accountNetworks.secretVersion })
      .from(accountNetworks)
      .where(and(eq(accountNetworks.accountId, account.id), eq(accountNetworks.chainId, chainId)))
      .for("share");
    if ((settings?.version ?? 1) !== input.secret_version) throw secretRotated();
    return { held: await takeHeld(tx, ctx, input) };
  });
}

/** In one statement: a rotation has thousands of them. */
async function takeHeld(tx: Tx, { chainId, account }: SessionContext, { secret_version, held }: EncryptedInput) {
  if (held.length === 0) return 0;
  const ids = held.map(({ transaction_id }) => transaction_id);
  // Decisions lock their row as well: in the order of the ids none of two waits for the other in a circle.
  const open = await tx
    .select({ id: heldPayments.id })
    .from(heldPayments)
    .where(
      and(
        eq(heldPayments.rootId, account.id),
        eq(heldPayments.chainId, chainId),
        eq(heldPayments.status, "pending_approval"),
        lt(heldPayments.secretVersion, secret_version),
        inArray(heldPayments.id, ids),
      ),
    )
    .orderBy(heldPayments.id)
    .for("update");
  const mine = new Set(open.map(({ id }) => id));
  const rows = held.filter(({ transaction_id }) => mine.has(transaction_id));
  if (rows.length === 0) return 0;
  const values = rows.map(
    ({ transaction_id, encrypted }) => sql`(${transaction_id}::text, ${Buffer.from(fromHex(encrypted))}::bytea)`,
  );
  await tx.execute(sql`
    update held_payments h set encrypted = v.encrypted, secret_version = ${secret_version}
    from (values ${sql.join(values, sql`, `)}) as v(id, encrypted) where h.id = v.id`);
  return new Set(rows.map(({ transaction_id }) => transaction_id)).size;
}
