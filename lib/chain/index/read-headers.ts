import type { Hex } from "viem";
import type { ChainId } from "@/lib/base/network";
import { ChainContradiction } from "../chain-contradiction";
import { batchingClient } from "../clients";

/** A block without the results of its transactions. */
export interface Header {
  number: bigint;
  hash: Hex;
  parentHash: Hex;
  logsBloom: Hex;
  transactions: readonly Hex[];
}

/** Headers requested concurrently. */
const AT_ONCE = 500n;

/**
 * Returns the headers of a range of blocks, both ends included, each the parent of the next.
 *
 * @param parent the hash of the block before, if known
 * @param last the hash that the range must end with
 * @throws ChainContradiction if one is missing or they don't form a chain, because nodes with different chains
 *   responded
 */
export async function readHeaders(
  chainId: ChainId,
  from: bigint,
  to: bigint,
  { parent, last }: { parent: Hex | null; last: Hex },
): Promise<Header[]> {
  const headers: Header[] = [];
  for (let start = from; start <= to; start += AT_ONCE) {
    const count = Number(start + AT_ONCE <= to ? AT_ONCE : to - start + 1n);
    const numbers = Array.from({ length: count }, (_, i) => start + BigInt(i));
    headers.push(...(await Promise.all(numbers.map((number) => readHeader(chainId, number)))));
  }
  let before = parent;
  for (const { hash, parentHash } of headers) {
    if (before && parentHash !== before) throw new ChainContradiction("blocks that do not follow each other");
    before = hash;
  }
  if (before !== last) throw new ChainContradiction("two blocks of one number");
  return headers;
}

async function readHeader(chainId: ChainId, number: bigint): Promise<Header> {
  const params = [`0x${number.toString(16)}`, false] as const;
  const block = await batchingClient(chainId).request({ method: "eth_getBlockByNumber", params: [...params] });
  if (!block?.hash || !block.logsBloom) throw new ChainContradiction("a block below the final one is missing");
  const { hash, parentHash, logsBloom, transactions } = block;
  return { number, hash, parentHash, logsBloom, transactions: transactions as readonly Hex[] };
}
