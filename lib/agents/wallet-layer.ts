import { addPepperLayer, type Layered, removePepperLayer } from "@/lib/accounts/pepper-layer";
import { type AgentWalletRef, agentWalletAad } from "@/lib/ledger/encrypted/agent-wallet";

/** Returns the place of an agent's encrypted wallet key, which both of its layers are bound to. */
export const walletPlace = (ref: AgentWalletRef): Layered => ({
  label: "agent wallet",
  scope: ref.scope,
  aad: agentWalletAad(ref),
});

/**
 * Encrypts an agent's encrypted wallet key once more, under the server's pepper.
 *
 * @param pepper `SERVER_PEPPER`
 * @param inner the output of `encryptAgentWallet`
 */
export function addLayer(pepper: Uint8Array, ref: AgentWalletRef, inner: Uint8Array): Uint8Array {
  return addPepperLayer(pepper, walletPlace(ref), inner);
}

/**
 * Removes the service's layer of encryption. `decryptAgentWallet` decrypts the result.
 *
 * @param peppers `acceptedPeppers()`
 * @throws DecryptionFailed if none of them decrypts it
 */
export function removeLayer(peppers: readonly Uint8Array[], ref: AgentWalletRef, wallet: Uint8Array): Uint8Array {
  return removePepperLayer(peppers, walletPlace(ref), wallet);
}
