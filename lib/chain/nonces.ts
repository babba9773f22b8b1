import { and, eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { relayers } from "@/db/schema/chain";
import { env } from "@/lib/env";
import type { ChainId } from "@/lib/network";
import { FAUCET_POSITION } from "./relayer";

/** A relayer's nonce, taken inside the caller's transaction: it is used exactly when that commits, so none is lost. */
interface AllocatedNonce {
  relayer: Address;
  position: number;
  nonce: number;
}

/**
 * Takes the next nonce of the relayer that carries a pending one of `follows`, or the newest pending operation of one
 * of `accounts` (each in their order of preference), so that dependent operations reach the chain in order; else of
 * the relayer with the least under way among those that have gas. The relayer's row stays locked until the transaction ends: allocate last.
 */
export async function allocateNonce(
  tx: Tx,
  chainId: ChainId,
  accounts: readonly Address[],
  follows: readonly string[] = [],
): Promise<AllocatedNonce> {
  const before = follows.map((id) => sql`(select relayer from operations where id = ${id} and status = 'pending')`);
  const busy = accounts.map(
    (account) => sql`(select relayer from operations where chain_id = ${chainId} and status = 'pending'
      and account = ${toBytes(account)} order by created_at desc limit 1)`,
  );
  const idle = sql`(select r.address from relayers r where r.chain_id = ${chainId} and r.position > ${FAUCET_POSITION}
    and r.position < ${env().relayers}::int
    order by r.has_gas desc, (select count(*) from operations o where o.chain_id = ${chainId} and o.status = 'pending'
      and o.relayer = r.address), random() limit 1)`;
  return take(tx, chainId, sql`address = (select coalesce(${sql.join([...before, ...busy, idle], sql`, `)}))`);
}

/** Takes the next nonce of one relayer: the faucet's, or of the one that already carries an operation. */
export function allocateNonceOf(tx: Tx, chainId: ChainId, position: number): Promise<AllocatedNonce> {
  return take(tx, chainId, eq(relayers.position, position));
}

async function take(tx: Tx, chainId: ChainId, which: ReturnType<typeof sql> | ReturnType<typeof eq>) {
  const [row] = await tx
    .update(relayers)
    .set({ nextNonce: sql`${relayers.nextNonce} + 1` })
    .where(and(eq(relayers.chainId, chainId), which))
    .returning({ relayer: relayers.address, position: relayers.position, nonce: relayers.nextNonce });
  if (!row) throw new Error("no relayer is registered: the worker registers them when it starts");
  return { relayer: row.relayer as Address, position: row.position, nonce: row.nonce - 1 };
}

function toBytes(address: Address): Buffer {
  return Buffer.from(address.slice(2), "hex");
}
