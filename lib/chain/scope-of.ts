import { and, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { parseAbi } from "viem";
import { db } from "@/db/client";
import { ledgerDomains } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { agreed } from "./agreed";
import { chainEnv } from "./clients";

const abi = parseAbi(["function domainSalt() view returns (bytes32)"]);
/** A ledger on one of the service's chains. */
export interface ChainScope extends Scope {
  chainId: ChainId;
}

const scopes = new Map<ChainId, Promise<ChainScope>>();

/**
 * Returns the ledger of a network with the domain salt that it chose at its deployment. The salt never changes. The
 * first process that reads it from the chain stores it in the database, so that others can start while their node is
 * away.
 *
 * @throws Error if it is not stored yet and the node does not respond
 */
export function scopeOf(chainId: ChainId): Promise<ChainScope> {
  let scope = scopes.get(chainId);
  if (!scope) {
    const ledger = chainEnv(chainId).ledger.toLowerCase() as Address;
    scope = readSalt(chainId, ledger).then((domainSalt) => ({ chainId, ledger, domainSalt }));
    scope.catch(() => scopes.delete(chainId));
    scopes.set(chainId, scope);
  }
  return scope;
}

async function readSalt(chainId: ChainId, ledger: Address): Promise<Hex> {
  const thisLedger = and(eq(ledgerDomains.chainId, chainId), eq(ledgerDomains.ledger, ledger));
  const [stored] = await db().select({ salt: ledgerDomains.salt }).from(ledgerDomains).where(thisLedger);
  if (stored) return stored.salt;
  const query = { address: ledger, abi, functionName: "domainSalt" } as const;
  const salt = await agreed(chainId, `domainSalt of ${ledger}`, (client) => client.readContract(query));
  await db().insert(ledgerDomains).values({ chainId, ledger, salt }).onConflictDoNothing();
  return salt;
}
