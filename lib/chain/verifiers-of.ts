import type { Address } from "viem";
import type { ChainId } from "@/lib/base/network";
import { ledgerAbi } from "./abi/ledger";
import { agreed } from "./agreed";
import { chainEnv } from "./clients";

const VERIFIERS = [
  "transferVerifier",
  "releaseVerifier",
  "fundVerifier",
  "makeAvailableVerifier",
  "spendVerifier",
  "spendPublicVerifier",
  "payManyVerifier",
] as const;
/** A verifier, by its name on the ledger. */
export type Verifier = (typeof VERIFIERS)[number];
type VerifiersOf = Readonly<Record<Verifier, Address>>;
const known = new Map<string, VerifiersOf>();

/**
 * Returns the contracts that verify the ledger's proofs, in lower case. They never change, so each process asks the
 * chain once.
 *
 * @throws Error if the chain can't be reached
 */
export async function verifiersOf(chainId: ChainId): Promise<VerifiersOf> {
  const { ledger } = chainEnv(chainId);
  const key = `${chainId} ${ledger}`;
  const before = known.get(key);
  if (before) return before;
  const found = await Promise.all(
    VERIFIERS.map(async (functionName) => {
      const query = { address: ledger, abi: ledgerAbi, functionName } as const;
      const address = await agreed(chainId, `${functionName} of ${ledger}`, (client) => client.readContract(query));
      return [functionName, address.toLowerCase() as Address] as const;
    }),
  );
  const verifiers = Object.fromEntries(found) as VerifiersOf;
  known.set(key, verifiers);
  return verifiers;
}
