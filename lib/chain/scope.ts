import type { Address } from "viem";
import { parseAbi } from "viem";
import type { Scope } from "@/lib/ledger/scope";
import type { ChainId } from "@/lib/network";
import { chainEnv, publicClient } from "./clients";

const abi = parseAbi(["function domainSalt() view returns (bytes32)"]);
const scopes = new Map<ChainId, Promise<Scope>>();

/** The ledger of a network, with the domain salt it chose when it was deployed. Read once: it never changes. */
export function scopeOf(chainId: ChainId): Promise<Scope> {
  let scope = scopes.get(chainId);
  if (!scope) {
    const ledger = chainEnv(chainId).ledger.toLowerCase() as Address;
    scope = publicClient(chainId)
      .readContract({ address: ledger, abi, functionName: "domainSalt" })
      .then((domainSalt) => ({ chainId, ledger, domainSalt }));
    scope.catch(() => scopes.delete(chainId));
    scopes.set(chainId, scope);
  }
  return scope;
}
