import { type Address, isAddressEqual } from "viem";
import type { ChainId } from "@/lib/base/network";
import {
  fundVerifierBytecode,
  makeAvailableVerifierBytecode,
  payManyVerifierBytecode,
  releaseVerifierBytecode,
  spendPublicVerifierBytecode,
  spendVerifierBytecode,
  transferVerifierBytecode,
} from "./abi/bytecode";
import { deployedAddress } from "./deployed-address";
import { type Verifier, verifiersOf } from "./verifiers-of";

const CREATION = {
  transferVerifier: transferVerifierBytecode,
  releaseVerifier: releaseVerifierBytecode,
  fundVerifier: fundVerifierBytecode,
  makeAvailableVerifier: makeAvailableVerifierBytecode,
  spendVerifier: spendVerifierBytecode,
  spendPublicVerifier: spendPublicVerifierBytecode,
  payManyVerifier: payManyVerifierBytecode,
} as const satisfies Record<Verifier, `0x${string}`>;

let own: Record<Verifier, Address> | undefined;

/**
 * Returns the addresses of this version's verifiers. They are the same on every chain, because they are derived from
 * the code.
 */
function ownVerifiers(): Record<Verifier, Address> {
  own ??= Object.fromEntries(Object.entries(CREATION).map(([name, code]) => [name, deployedAddress(code)])) as Record<
    Verifier,
    Address
  >;
  return own;
}

/**
 * Reports whether a network's ledger uses the verifiers that match this version's proving keys. With other verifiers,
 * it would refuse every proof made here, or accept proofs that can't be made here.
 *
 * @throws Error if the chain can't be reached, or there is no ledger
 */
export async function hasOwnVerifiers(chainId: ChainId): Promise<boolean> {
  const theirs = await verifiersOf(chainId);
  return Object.entries(ownVerifiers()).every(([name, address]) => isAddressEqual(theirs[name as Verifier], address));
}
