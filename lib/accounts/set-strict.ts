import { and, eq, isNotNull, or } from "drizzle-orm";
import { db } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { apiKeys } from "@/db/schema/keys";
import type { SessionContext } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";

/** Matches keys that wrap what pays. */
const paying = or(isNotNull(apiKeys.wrap), isNotNull(apiKeys.accessWrap));

/**
 * Turns strict mode on or off (docs/protocol.md section 7). Turning it on also deletes the encrypted copies of the
 * secret from all keys of the account and its agents: these keys can still read, but never pay again. Turning it off
 * leaves them as they are, and lets new keys pay. Safe to repeat.
 */
export async function setStrict(ctx: SessionContext, strict: boolean, now = new Date()): Promise<void> {
  const { account, chainId } = ctx;
  const { rootId } = account;
  await db().transaction(async (tx) => {
    // Creating a key locks this row too, so each new key is either seen below or sees the strict account.
    await tx.insert(accountNetworks).values({ accountId: rootId, chainId }).onConflictDoNothing();
    const mine = and(eq(accountNetworks.accountId, rootId), eq(accountNetworks.chainId, chainId));
    const [before] = await tx
      .select({ strict: accountNetworks.strict })
      .from(accountNetworks)
      .where(mine)
      .for("update");
    if (!before || before.strict === strict) return;
    await tx.update(accountNetworks).set({ strict }).where(mine);
    const emptied = strict
      ? await tx
          .update(apiKeys)
          .set({ wrap: null, accessWrap: null, homeWrap: null })
          .where(and(eq(apiKeys.accountId, rootId), eq(apiKeys.chainId, chainId), paying))
          .returning({ id: apiKeys.id })
      : [];
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "account.strict_changed", target: rootId };
    const after = strict ? { strict, keys: emptied.map(({ id }) => id) } : { strict };
    await appendAudit(tx, { ...entry, before: { strict: before.strict }, after }, now);
  });
}
