import type { Address, Hex } from "viem";
import { bigintToBytes, concat, fromHex } from "./bytes";

/**
 * One ledger on one chain. Every key, ciphertext and signature is bound to a scope, so that nothing created for one
 * ledger is valid on another. `domainSalt` is the ledger's `domainSalt()`.
 */
export interface Scope {
  chainId: number;
  ledger: Address;
  domainSalt: Hex;
}

/** Identifies a commitment by its account and asset, which are the ledger contract's mapping keys. */
export interface CommitmentRef {
  scope: Scope;
  account: Address;
  asset: Address;
  commitment: bigint;
}

/**
 * Returns chainId (32 bytes) || ledger (20) || account (20) || asset (20) || commitment (32). Fixed widths make it
 * unambiguous.
 */
export function commitmentRefBytes(ref: CommitmentRef): Uint8Array {
  return concat(
    bigintToBytes(BigInt(ref.scope.chainId), 32),
    fromHex(ref.scope.ledger),
    fromHex(ref.account),
    fromHex(ref.asset),
    bigintToBytes(ref.commitment, 32),
  );
}
