import { type Address, isAddressEqual } from "viem";
import type { ChainId } from "@/lib/network";
import {
  allocateVerifierBytecode,
  fundVerifierBytecode,
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
  allocateVerifier: allocateVerifierBytecode,
  spendVerifier: spendVerifierBytecode,
  spendPublicVerifier: spendPublicVerifierBytecode,
  payManyVerifier: payManyVerifierBytecode,
} as const satisfies Record<Verifier, `0x${string}`>;

let own: Record<Verifier, Address> | undefined;

/** Where this version's verifiers are on every chain that has them: their addresses follow from their code. */
function ownVerifiers(): Record<Verifier, Address> {
  own ??= Object.fromEntries(Object.entries(CREATION).map(([name, code]) => [name, deployedAddress(code)])) as Record<
    Verifier,
    Address
  >;
  return own;
}

/**
 * Whether a network's ledger checks proofs with the verifiers of this version's proving keys. With others it would refuse
 * every payment that this service proves, or take what no one can prove here.
 *
 * @throws when the chain can't be asked, or no ledger is there
 */
export async function hasOwnVerifiers(chainId: ChainId): Promise<boolean> {
  const theirs = await verifiersOf(chainId);
  return Object.entries(ownVerifiers()).every(([name, address]) => isAddressEqual(theirs[name as Verifier], address));
}
