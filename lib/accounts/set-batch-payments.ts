import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { actorOf, appendAudit } from "@/lib/audit/append";
import type { SessionContext } from "@/lib/context/context";

/**
 * Lets payments of the account that wait for each other share a proof, or not: those that do show on chain that they
 * belong together. Holds from the next payment on. Repeatable.
 */
export async function setBatchPayments(ctx: SessionContext, batchPayments: boolean, now = new Date()): Promise<void> {
  const { account, chainId } = ctx;
  const { rootId } = account;
  await db().transaction(async (tx) => {
    await tx.insert(accountNetworks).values({ accountId: rootId, chainId }).onConflictDoNothing();
    const mine = and(eq(accountNetworks.accountId, rootId), eq(accountNetworks.chainId, chainId));
    const [before] = await tx
      .select({ batchPayments: accountNetworks.batchPayments })
      .from(accountNetworks)
      .where(mine)
      .for("update");
    if (!before || before.batchPayments === batchPayments) return;
    await tx.update(accountNetworks).set({ batchPayments }).where(mine);
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "account.batch_payments_changed", target: rootId };
    const change = { before: { batch_payments: before.batchPayments }, after: { batch_payments: batchPayments } };
    await appendAudit(tx, { ...entry, ...change }, now);
  });
}
