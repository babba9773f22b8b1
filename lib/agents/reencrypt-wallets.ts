import { and, asc, eq, gt } from "drizzle-orm";
import type { Address } from "viem";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents } from "@/db/schema/agents";
import { acceptedPeppers, env } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { addLayer, removeLayer } from "./wallet-layer";

const BATCH = 200;

/** How many agents' wallets were encrypted again. */
interface Reencrypted {
  /** Were under the previous pepper and are now under the current one. */
  reencrypted: number;
  /**
   * Can't be decrypted with either pepper: made under a third one, or changed in the database. They are left as they
   * are.
   */
  unreadable: number;
}

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
  const [current, ...previous] = acceptedPeppers();
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
      const opened = row && openedBy(current ? [current] : [], ref, row.wallet);
      if (!row || opened) return;
      const inner = openedBy(previous, ref, row.wallet);
      if (!inner) {
        done.unreadable++;
        return;
      }
      await tx
        .update(agents)
        .set({ wallet: toHex(addLayer(env().serverPepper, ref, inner)) })
        .where(isThis);
      done.reencrypted++;
    });
  }
  return rows.at(-1)?.id;
}

function openedBy(peppers: readonly Uint8Array[], ref: Parameters<typeof removeLayer>[1], wallet: `0x${string}`) {
  try {
    return removeLayer(peppers, ref, fromHex(wallet));
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined;
    throw error;
  }
}
