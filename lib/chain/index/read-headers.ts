import type { Hex } from "viem";
import type { ChainId } from "@/lib/network";
import { batchingClient } from "../clients";
import { ChainContradiction } from "./chain-contradiction";

/** What is known of a block without its transactions' results. */
export interface Header {
  number: bigint;
  hash: Hex;
  parentHash: Hex;
  logsBloom: Hex;
  transactions: readonly Hex[];
}

/** Headers asked for side by side. */
const AT_ONCE = 500n;

/**
 * The headers of a range of blocks, both ends included, each the parent of the next.
 *
 * @param parent the hash of the block before, when it is known
 * @param last the hash the range ends with
 * @throws ChainContradiction when one is missing or they do not join up: nodes that know different chains responded
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
