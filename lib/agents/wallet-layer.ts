import { seal, unseal } from "@/lib/ledger/crypto/aead";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import { type AgentWalletRef, agentWalletAad } from "@/lib/ledger/seal/agent-wallet";

const layerKey = (pepper: Uint8Array, { scope }: AgentWalletRef) => hkdf(pepper, "agent wallet", scope);

/**
 * Puts the service's layer round an agent's sealed wallet key, under HKDF(SERVER_PEPPER, "agent wallet"): a database
 * without the environment, and an agent's API key with a stolen database, open nothing.
 *
 * @param pepper `SERVER_PEPPER`
 * @param inner what `sealAgentWallet` made
 */
export function addLayer(pepper: Uint8Array, ref: AgentWalletRef, inner: Uint8Array): Uint8Array {
  return seal(layerKey(pepper, ref), agentWalletAad(ref), inner);
}

/**
 * Takes the service's layer off again: what `openAgentWallet` opens.
 *
 * @param peppers `acceptedPeppers()`
 * @throws UnsealFailed when it is under none of them
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
