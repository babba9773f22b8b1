import { and, eq, exists, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { availableCommitments, availableStates } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import type { AvailableChange } from "./compare-states-with-index";
import { settleAvailableBalances } from "./settle-available-balances";

/** Compares the log of states with the rebuilt commitments. States that don't build on them can never become final. */
export async function failOrphanedStates(tx: Tx, chainId: ChainId): Promise<void> {
  const states = tx
    .select({ one: sql`1` })
    .from(availableStates)
    .where(
      and(
        eq(availableStates.chainId, availableCommitments.chainId),
        eq(availableStates.account, availableCommitments.account),
      ),
    );
  const commitments = await tx
    .select({
      account: availableCommitments.account,
      asset: availableCommitments.asset,
      commitment: availableCommitments.commitment,
    })
    .from(availableCommitments)
    .where(and(eq(availableCommitments.chainId, chainId), exists(states)));
  const unchanged = commitments.map(({ account, asset, commitment }): AvailableChange => {
    return { account, asset, oldCommitment: commitment, newCommitment: commitment, txHash: "0x" };
  });
  await settleAvailableBalances(tx, chainId, unchanged);
}
