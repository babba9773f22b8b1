import type { Address } from "viem";
import type { ChainId } from "@/lib/network";
import { ledgerAbi } from "./abi/ledger";
import { chainEnv, publicClient } from "./clients";

const VERIFIERS = [
  "transferVerifier",
  "releaseVerifier",
  "fundVerifier",
  "allocateVerifier",
  "spendVerifier",
  "spendPublicVerifier",
  "payManyVerifier",
] as const;
const known = new Map<string, readonly Address[]>();

/**
 * The contracts that check the ledger's proofs, in lower case. They never change, so the chain is asked once per process.
 *
 * @throws when the chain can't be asked
 */
export async function verifiersOf(chainId: ChainId): Promise<readonly Address[]> {
  const { ledger } = chainEnv(chainId);
  const key = `${chainId} ${ledger}`;
  const before = known.get(key);
  if (before) return before;
  const found = await Promise.all(
    VERIFIERS.map((functionName) => {
      return publicClient(chainId).readContract({ address: ledger, abi: ledgerAbi, functionName });
    }),
  );
  const verifiers = found.map((address) => address.toLowerCase() as Address);
  known.set(key, verifiers);
  return verifiers;
}
