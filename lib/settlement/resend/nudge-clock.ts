import { and, eq, lt } from "drizzle-orm";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { chainCursors } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import { broadcast } from "@/lib/chain/broadcast";
import { chainEnv } from "@/lib/chain/clients";
import { submitOperation } from "@/lib/chain/operations/submit-operation";
import { FAUCET_POSITION, relayerAccount } from "@/lib/chain/relayer";

/**
 * Sends an empty transaction on an idle local chain. Such a chain makes blocks only for transactions, so otherwise no
 * final block would ever pass a deadline.
 */
export async function nudgeClock(chainId: ChainId): Promise<void> {
  if (!chainEnv(chainId).local) return;
  const now = new Date();
  const [expired] = await db()
    .select({ deadline: operations.deadline, blockTime: chainCursors.blockTime })
    .from(operations)
    .innerJoin(chainCursors, eq(chainCursors.chainId, operations.chainId))
    .where(
      and(
        eq(operations.chainId, chainId),
        eq(operations.status, "pending"),
        // Block times are in whole seconds.
        lt(operations.deadline, new Date(now.getTime() - 1_000)),
      ),
    )
    .limit(1);
  if (!expired || expired.blockTime > expired.deadline) return;
  const target = relayerAccount(chainId, FAUCET_POSITION).address;
  const deadline = new Date(now.getTime() + 3_600_000);
  const nudge = {
    chainId,
    kind: "gas",
    account: target,
    target,
    data: "0x",
    deadline,
    position: FAUCET_POSITION,
  } as const;
  broadcast(await db().transaction((tx) => submitOperation(tx, nudge)));
}
