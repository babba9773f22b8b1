import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents } from "@/db/schema/agents";

/**
 * Returns the account that gets the refunds of what an account has paid: itself or, if that is set for an agent, its
 * owner.
 */
export async function refundAccount(payerId: string) {
  const [paid] = await db()
    .select({ account: accounts, refunds: agents.refunds, status: agents.status })
    .from(accounts)
    .leftJoin(agents, eq(agents.accountId, accounts.id))
    .where(eq(accounts.id, payerId));
  if (!paid) throw new Error("a payment has no payer");
  const toOwner = paid.refunds === "owner" || paid.status === "ended";
  if (!toOwner || paid.account.ownerId === null) return paid.account;
  const [owner] = await db().select().from(accounts).where(eq(accounts.id, paid.account.ownerId));
  if (!owner) throw new Error("an agent has no owner");
  return owner;
}
