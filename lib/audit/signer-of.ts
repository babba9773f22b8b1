import { type Address, type Hex, recoverTransactionAddress } from "viem";

/** The account that signed an anchor: of the present seed, or of one that was exchanged since. */
export function signerOf(raw: Hex): Promise<Address> {
  return recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
}
