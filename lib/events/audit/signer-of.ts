import { type Address, type Hex, recoverTransactionAddress } from "viem";

/** Returns the account that signed an anchor. It may be of the current seed or of one that has been replaced since. */
export function signerOf(raw: Hex): Promise<Address> {
  return recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
}
