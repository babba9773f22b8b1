import { and, asc, eq, gt } from "drizzle-orm";
import type { Address } from "viem";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents } from "@/db/schema/agents";
import { type Reencrypted, renewPepperLayer } from "@/lib/accounts/pepper-layer";
import { acceptedPeppers } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { walletPlace } from "./wallet-layer";

const BATCH = 200;

/**
 * Encrypts every agent's wallet that is still under `SERVER_PEPPER_PREVIOUS` with `SERVER_PEPPER` instead. It may run
 * while the product runs, and be repeated: each wallet is changed under the lock of its agent's row.
 */
export async function reencryptWallets(): Promise<Reencrypted> {
  const done: Reencrypted = { reencrypted: 0, unreadable: 0 };
  for (let after: string | undefined = ""; after !== undefined; ) after = await reencryptBatch(after, done);
  return done;
}

/** Processes the wallets that follow an account id. Returns the last account id of the batch; undefined at the end. */
async function reencryptBatch(after: string, done: Reencrypted): Promise<string | undefined> {
  const rows = await db()
    .select({ id: agents.accountId, chainId: agents.chainId, agent: accounts.address })
    .from(agents)
    .innerJoin(accounts, eq(accounts.id, agents.accountId))
    .where(gt(agents.accountId, after))
    .orderBy(asc(agents.accountId))
    .limit(BATCH);
  for (const { id, chainId, agent } of rows) {
    const ref = { scope: await scopeOf(chainId as ChainId), agent: agent as Address };
    await db().transaction(async (tx) => {
      const isThis = and(eq(agents.accountId, id));
      const [row] = await tx.select({ wallet: agents.wallet }).from(agents).where(isThis).for("update");
      if (!row) return;
      const renewed = renewPepperLayer(acceptedPeppers(), walletPlace(ref), fromHex(row.wallet));
      if (renewed === "unreadable") done.unreadable++;
      if (typeof renewed === "string") return;
      await tx
        .update(agents)
        .set({ wallet: toHex(renewed) })
        .where(isThis);
      done.reencrypted++;
    });
  }
  return rows.at(-1)?.id;
}
