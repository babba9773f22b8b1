import { and, eq, inArray, sql } from "drizzle-orm";
import { type Address, parseEther } from "viem";
import { db, type Tx } from "@/db/client";
import { outgoingTransactions, relayers } from "@/db/schema/chain";
import { waitChainLock } from "@/lib/chain/advisory-lock";
import { broadcast } from "@/lib/chain/broadcast";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { ANCHOR_POSITION, FAUCET_POSITION, relayerAccounts, relayerPositions } from "@/lib/chain/relayer";
import { scopeOf } from "@/lib/chain/scope-of";
import type { ChainId } from "@/lib/network";
import { submitOperation } from "./submit-operation";

const ENOUGH = parseEther("10");
const TOP_UP = parseEther("1000");

/**
 * Makes sure that the relayers of a chain are registered with the nonce they have there, and on a local chain that they
 * can pay for gas. Safe to run at every start, by several workers at once.
 */
export async function registerRelayers(chainId: ChainId): Promise<void> {
  const { local } = chainEnv(chainId);
  // A web process may have to start while the node is away: the salt is stored as soon as anyone has read it.
  await scopeOf(chainId);
  const positions = [...(local ? [FAUCET_POSITION, ANCHOR_POSITION] : []), ...relayerPositions()];
  // Those of an exchanged seed finish what they carry.
  const accounts = positions.flatMap((position) =>
    relayerAccounts(chainId, position).map(({ address }, at) => ({ position, address, isDraining: at > 0 })),
  );
  const found = await Promise.all(
    accounts.map(async ({ position, address: checksummed, isDraining }) => {
      const address = checksummed.toLowerCase() as Address;
      const [count, balance] = await Promise.all([
        publicClient(chainId).getTransactionCount({ address, blockTag: "latest" }),
        publicClient(chainId).getBalance({ address }),
      ]);
      return { position, address, count, balance, isDraining };
    }),
  );
  const topUps = await db().transaction(async (tx) => {
    await waitChainLock(tx, "relayers", chainId);
    for (const { position, address, count } of found) await alignNonce(tx, chainId, position, address, count);
    if (!local) return [];
    const poor = found.filter(
      ({ position, balance, isDraining }) => position !== FAUCET_POSITION && !isDraining && balance < ENOUGH,
    );
    const asked = await pendingTopUps(
      tx,
      chainId,
      poor.map(({ address }) => address),
    );
    const submitted = [];
    for (const { address } of poor.filter(({ address }) => !asked.has(address))) {
      const deadline = new Date(Date.now() + 3_600_000);
      const common = { chainId, kind: "gas", account: address, target: address, data: "0x", deadline } as const;
      submitted.push(await submitOperation(tx, { ...common, value: TOP_UP, position: FAUCET_POSITION }));
    }
    return submitted;
  });
  for (const operation of topUps) broadcast(operation);
}

/**
 * A relayer's next nonce is the database's: what is signed there goes out sooner or later. Only when the chain is ahead
 * (the seed was used elsewhere) or a local chain was reset (nothing is under way) does the chain's count rule.
 */
async function alignNonce(tx: Tx, chainId: ChainId, position: number, address: Address, count: number): Promise<void> {
  await tx.insert(relayers).values({ chainId, address, position, nextNonce: count }).onConflictDoNothing();
  const [open] = await tx
    .select({ nonce: outgoingTransactions.nonce })
    .from(outgoingTransactions)
    .where(
      and(
        eq(outgoingTransactions.chainId, chainId),
        eq(outgoingTransactions.relayer, address),
        inArray(outgoingTransactions.status, ["signed", "sent"]),
      ),
    )
    .limit(1);
  const reset = chainEnv(chainId).local && !open;
  await tx
    .update(relayers)
    .set({ nextNonce: reset ? count : sql`greatest(${relayers.nextNonce}, ${count}::int)` })
    .where(and(eq(relayers.chainId, chainId), eq(relayers.address, address)));
}

async function pendingTopUps(tx: Tx, chainId: ChainId, addresses: Address[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await tx.query.operations.findMany({
    columns: { account: true },
    where: (o, { and, eq, inArray }) =>
      and(eq(o.chainId, chainId), eq(o.status, "pending"), eq(o.kind, "gas"), inArray(o.account, addresses)),
  });
  return new Set(rows.map(({ account }) => account));
}
