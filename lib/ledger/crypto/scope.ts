import type { Address, Hex } from "viem";
import { bigintToBytes, concat, fromHex } from "./bytes";

/**
 * One ledger on one chain. Every key, sealed text and signature is bound to it, so that nothing made for one ledger
 * means anything on another. `domainSalt` is the ledger's `domainSalt()`.
 */
export interface Scope {
  chainId: number;
  ledger: Address;
  domainSalt: Hex;
}

/** Where a commitment lives: whose it is, in which asset. The mapping keys of the ledger contract. */
export interface CommitmentRef {
  scope: Scope;
  account: Address;
  asset: Address;
  commitment: bigint;
}

/** chainId (32 bytes) || ledger (20) || account (20) || asset (20) || commitment (32): fixed widths, so unambiguous. */
export function commitmentRefBytes(ref: CommitmentRef): Uint8Array {
  return concat(
    bigintToBytes(BigInt(ref.scope.chainId), 32),
    fromHex(ref.scope.ledger),
    fromHex(ref.account),
    fromHex(ref.asset),
    bigintToBytes(ref.commitment, 32),
  );
}
