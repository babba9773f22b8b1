import type { Hex } from "viem";
import { sign as signDigest } from "viem/accounts";
import type { LedgerTypedData } from "./structs";

/** What is signed: typed data for a wallet, its digest for a key at hand. They say the same. */
export interface SignRequest {
  digest: Hex;
  typedData: LedgerTypedData;
}

/** Signs a request: 65 bytes of ECDSA over the digest. */
export type Signer = (request: SignRequest) => Promise<Hex>;

/** A signer that holds its key: the spender's, an agent's, or a program's own wallet key. RFC 6979, so deterministic. */
export function keySigner(privateKey: Hex): Signer {
  return ({ digest }) => signDigest({ hash: digest, privateKey, to: "hex" });
}
