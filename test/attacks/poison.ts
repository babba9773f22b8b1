import type { Hex } from "viem";
import { deriveViewingKey, newAccountKey } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { Agent } from "@/test/accounts/agent";
import type { Owner } from "@/test/accounts/owner";
import { StolenAvailableBalance } from "./stolen-available";

/** Returns a viewing key that no one has, so that nothing encrypted for it can be decrypted. */
const noOnes = ({ scope }: Owner | Agent) => deriveViewingKey(newAccountKey(), scope).publicKey;

/**
 * Returns the call of someone who can sign for a stolen available balance: pays one unit, and encrypts the payer's copy
 * for a key that no one has. An agent's call goes under its policy.
 */
export async function poisonCall(
  holder: Owner | Agent,
  to: Owner,
  signer: Hex,
  mode: SpendMode = SPEND_MODE.agent,
): Promise<Hex> {
  const available = await StolenAvailableBalance.of(holder);
  const payment = {
    to: { address: to.address, viewingKey: to.viewing.publicKey },
    amount: 1n,
    copyFor: noOnes(holder),
  };
  return holder instanceof Agent ? available.spend({ ...payment, mode }, signer) : available.transfer(payment, signer);
}

/**
 * Returns a call that moves one unit from an owner to its agent and encrypts the agent's copy for a key that no one
 * has. Without guard, a payment key can sign this.
 */
export async function poisonFunding(agent: Agent, signer: Hex): Promise<Hex> {
  const [from, to] = [await StolenAvailableBalance.of(agent.owner), await StolenAvailableBalance.of(agent)];
  return from.fund(to, 1n, signer, noOnes(agent));
}
