import type { Hex } from "viem";
import { sign as signDigest } from "viem/accounts";
import type { LedgerTypedData } from "./structs";

/** What has to be signed: typed data for a wallet, and its digest for a key at hand. Both are equivalent. */
export interface SignRequest {
  digest: Hex;
  typedData: LedgerTypedData;
}

/** Signs a request: 65 bytes of ECDSA over the digest. */
export type Signer = (request: SignRequest) => Promise<Hex>;

/**
 * Returns a signer with a key: a payment key, an agent's, or a program's own wallet key. Deterministic (RFC
 * 6979).
 */
export function keySigner(privateKey: Hex): Signer {
  return ({ digest }) => signDigest({ hash: digest, privateKey, to: "hex" });
}
