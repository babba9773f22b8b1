import { seal, unseal } from "@/lib/ledger/crypto/aead";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import { type AgentWalletRef, agentWalletAad } from "@/lib/ledger/seal/agent-wallet";

const layerKey = (pepper: Uint8Array, { scope }: AgentWalletRef) => hkdf(pepper, "agent wallet", scope);

/**
 * Encrypts an agent's encrypted wallet key once more, under HKDF(SERVER_PEPPER, "agent wallet"). So neither the
 * database without the environment, nor an agent's API key with a stolen database, is enough to decrypt the key.
 *
 * @param pepper `SERVER_PEPPER`
 * @param inner the output of `sealAgentWallet`
 */
export function addLayer(pepper: Uint8Array, ref: AgentWalletRef, inner: Uint8Array): Uint8Array {
  return seal(layerKey(pepper, ref), agentWalletAad(ref), inner);
}

/**
 * Removes the service's layer of encryption. `openAgentWallet` decrypts the result.
 *
 * @param peppers `acceptedPeppers()`
 * @throws UnsealFailed if none of them decrypts it
 */
export function removeLayer(peppers: readonly Uint8Array[], ref: AgentWalletRef, wallet: Uint8Array): Uint8Array {
  const [pepper, ...others] = peppers;
  if (!pepper) throw new UnsealFailed("agent's wallet");
  try {
    return unseal(layerKey(pepper, ref), agentWalletAad(ref), wallet, "agent's wallet");
  } catch (error) {
    if (others.length === 0 || !(error instanceof UnsealFailed)) throw error;
    return removeLayer(others, ref, wallet);
  }
}
