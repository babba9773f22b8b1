import { isDeepStrictEqual } from "node:util";
import type { HttpTransport, PublicClient } from "viem";
import type { ChainId } from "@/lib/base/network";
import { twoThatDiffer } from "./chain-contradiction";
import { checkingClient, publicClient } from "./clients";

/**
 * Reads from a chain's node and, if a second provider is configured, from that too.
 *
 * @param what what is read, for the error: never an amount
 * @param read what both have to return alike: only what can't change between two blocks
 * @throws ChainContradiction if they differ; what `read` throws
 */
export async function agreed<T>(
  chainId: ChainId,
  what: string,
  read: (client: PublicClient<HttpTransport>) => Promise<T>,
): Promise<T> {
  const second = checkingClient(chainId);
  const [first, theirs] = await Promise.all([read(publicClient(chainId)), second && read(second)]);
  if (second && !isDeepStrictEqual(first, theirs)) throw twoThatDiffer(chainId, what);
  return first;
}
