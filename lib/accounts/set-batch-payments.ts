import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import type { SessionContext } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";

/**
 * Sets whether queued payments of the account may share one proof. Payments that do are visibly connected on chain.
 * Takes effect with the next payment. Safe to repeat.
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
