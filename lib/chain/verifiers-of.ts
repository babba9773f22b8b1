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
/** A verifier by its name on the ledger. */
export type Verifier = (typeof VERIFIERS)[number];
type VerifiersOf = Readonly<Record<Verifier, Address>>;
const known = new Map<string, VerifiersOf>();

/**
 * The contracts that check the ledger's proofs, in lower case. They never change, so the chain is asked once per process.
 *
 * @throws when the chain can't be asked
 */
export async function verifiersOf(chainId: ChainId): Promise<VerifiersOf> {
  const { ledger } = chainEnv(chainId);
  const key = `${chainId} ${ledger}`;
  const before = known.get(key);
  if (before) return before;
  const found = await Promise.all(
    VERIFIERS.map(async (functionName) => {
      const address = await publicClient(chainId).readContract({ address: ledger, abi: ledgerAbi, functionName });
      return [functionName, address.toLowerCase() as Address] as const;
    }),
  );
  const verifiers = Object.fromEntries(found) as VerifiersOf;
  known.set(key, verifiers);
  return verifiers;
}
