import { and, eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { operations, relayers } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { carriers } from "./relayer";

/** A relayer's nonce, taken in the caller's transaction. It is used exactly if that commits, so no nonce is lost. */
interface MadeAvailableNonce {
  relayer: Address;
  position: number;
  nonce: number;
  /** The database's time when it was taken, in milliseconds. */
  takenAt: number;
}

/**
 * Takes the next nonce of a relayer. Dependent operations must reach the chain in order, so the relayer of a pending
 * operation in `follows` is preferred, then the one of the newest pending operation of one of `accounts` (each in their
 * order). Otherwise it is the relayer with the fewest pending operations, preferably one that has gas. Relayers of a
 * replaced seed take nothing new. The relayer's row stays locked until the transaction ends, so call this last.
 */
export async function makeAvailableNonce(
  tx: Tx,
  chainId: ChainId,
  accounts: readonly Address[],
  follows: readonly string[] = [],
): Promise<MadeAvailableNonce> {
  const ours = carriers(chainId);
  const isOurs = anyOf(operations.relayer, ours);
  const before = follows.map(
    (id) => sql`(select relayer from operations where id = ${id} and status = 'pending' and ${isOurs})`,
  );
  const busy = accounts.map(
    (account) => sql`(select relayer from operations where chain_id = ${chainId} and status = 'pending'
      and account = ${toBytes(account)} and ${isOurs} order by created_at desc limit 1)`,
  );
  const idle = sql`(select relayers.address from relayers where relayers.chain_id = ${chainId}
    and ${anyOf(relayers.address, ours)}
    order by relayers.has_gas desc, (select count(*) from operations o where o.chain_id = ${chainId}
      and o.status = 'pending' and o.relayer = relayers.address), random() limit 1)`;
  return take(tx, chainId, sql`address = (select coalesce(${sql.join([...before, ...busy, idle], sql`, `)}))`);
}

/** Takes the next nonce of a certain relayer: the faucet's, or the one that already carries an operation. */
export function makeAvailableNonceOf(tx: Tx, chainId: ChainId, address: Address): Promise<MadeAvailableNonce> {
  return take(tx, chainId, eq(relayers.address, address.toLowerCase() as Address));
}

async function take(tx: Tx, chainId: ChainId, which: ReturnType<typeof sql> | ReturnType<typeof eq>) {
  const [row] = await tx
    .update(relayers)
    .set({ nextNonce: sql`${relayers.nextNonce} + 1` })
    .where(and(eq(relayers.chainId, chainId), which))
    .returning({
      relayer: relayers.address,
      position: relayers.position,
      nonce: relayers.nextNonce,
      takenAt: sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`,
    });
  if (!row) throw new Error("no relayer is registered: the worker registers them when it starts");
  return { relayer: row.relayer as Address, position: row.position, nonce: row.nonce - 1, takenAt: row.takenAt };
}

function toBytes(address: Address): Buffer {
  return Buffer.from(address.slice(2), "hex");
}
