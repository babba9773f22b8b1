import { and, eq, inArray, isNull } from "drizzle-orm";
import { type Address, parseEther } from "viem";
import { db, type Tx } from "@/db/client";
import { outgoingTransactions, relayers } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { waitChainLock } from "@/lib/chain/advisory-lock";
import { broadcast } from "@/lib/chain/broadcast";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { ANCHOR_POSITION, FAUCET_POSITION, relayerAccounts, relayerPositions } from "@/lib/chain/relayer";
import { scopeOf } from "@/lib/chain/scope-of";
import { highestNonce, usedNonces } from "@/lib/chain/used-nonces";
import { submitOperation } from "./submit-operation";

const ENOUGH = parseEther("10");
const TOP_UP = parseEther("1000");

/**
 * Registers the relayers of a chain with their current nonces and, on a local chain, funds them with gas. Safe to run
 * at every start and in several workers at once.
 */
export async function registerRelayers(chainId: ChainId): Promise<void> {
  const { local } = chainEnv(chainId);
  // Stores the domain salt, so that a web process can start later even while the chain's node is down.
  await scopeOf(chainId);
  const positions = [...(local ? [FAUCET_POSITION, ANCHOR_POSITION] : []), ...relayerPositions()];
  // Relayers of a replaced seed only finish the transactions they already have.
  const accounts = positions.flatMap((position) =>
    relayerAccounts(chainId, position).map(({ address }, at) => ({ position, address, isDraining: at > 0 })),
  );
  const idle = local ? await nextNoncesOfIdle(chainId) : new Map<string, number>();
  const found = await Promise.all(
    accounts.map(async ({ position, address: checksummed, isDraining }) => {
      const address = checksummed.toLowerCase() as Address;
      const [count, balance] = await Promise.all([
        usedNonces(chainId, address, "latest"),
        publicClient(chainId).getBalance({ address }),
      ]);
      return { position, address, count, balance, isDraining };
    }),
  );
  const topUps = await db().transaction(async (tx) => {
    await waitChainLock(tx, "relayers", chainId);
    for (const { position, address, count } of found) {
      await alignNonce(tx, { chainId, position, address, count, idle: idle.get(address) });
    }
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

/** Returns the next nonces of the relayers that have no transaction under way. */
async function nextNoncesOfIdle(chainId: ChainId): Promise<Map<string, number>> {
  const rows = await db()
    .select({ address: relayers.address, nextNonce: relayers.nextNonce })
    .from(relayers)
    .leftJoin(
      outgoingTransactions,
      and(
        eq(outgoingTransactions.chainId, relayers.chainId),
        eq(outgoingTransactions.relayer, relayers.address),
        inArray(outgoingTransactions.status, ["signed", "sent"]),
      ),
    )
    .where(and(eq(relayers.chainId, chainId), isNull(outgoingTransactions.id)));
  return new Map(rows.map(({ address, nextNonce }) => [address, nextNonce]));
}

/** A relayer, and what was found about its nonces. */
interface FoundNonces {
  chainId: ChainId;
  position: number;
  address: Address;
  /** How many transactions the chain has of it. */
  count: number;
  /** On a local chain: its next nonce before the chain was asked; undefined if a transaction was under way. */
  idle: number | undefined;
}

/**
 * Sets a relayer's next nonce. The database is authoritative, because every transaction signed there is sent sooner or
 * later. The chain's count applies only if it is ahead (the seed was used elsewhere) or a local chain was reset: nothing
 * was under way before the chain was asked, and nothing has been signed since. Otherwise the count may be out of date.
 * One provider's count that is far ahead is not believed.
 */
async function alignNonce(tx: Tx, { chainId, position, address, count, idle }: FoundNonces): Promise<void> {
  await tx.insert(relayers).values({ chainId, address, position, nextNonce: count }).onConflictDoNothing();
  const thisOne = and(eq(relayers.chainId, chainId), eq(relayers.address, address));
  const [row] = await tx.select({ known: relayers.nextNonce }).from(relayers).where(thisOne).for("update");
  if (!row) throw new Error("the row was inserted above");
  const { known } = row;
  if (count > highestNonce(chainId, known)) {
    log().error({ chainId, relayer: address, count, known }, "a node's count of transactions is not believed");
    return;
  }
  const nextNonce = known === idle ? count : Math.max(known, count);
  if (nextNonce !== known) await tx.update(relayers).set({ nextNonce }).where(thisOne);
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
