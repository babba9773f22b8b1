import type { Hex } from "viem";
import { deriveViewingKey, newRoot } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { Agent } from "@/test/accounts/agent";
import type { Owner } from "@/test/accounts/owner";
import { StolenBudget } from "./stolen-budget";

/** Returns a viewing key that no one has, so that nothing encrypted for it can be decrypted. */
const noOnes = ({ scope }: Owner | Agent) => deriveViewingKey(newRoot(), scope).publicKey;

/**
 * Returns the call of someone who can sign for a stolen budget: pays one unit, and encrypts the payer's copy for a key
 * that no one has. An agent's call goes under its policy.
 */
export async function poisonCall(
  holder: Owner | Agent,
  to: Owner,
  signer: Hex,
  mode: SpendMode = SPEND_MODE.agent,
): Promise<Hex> {
  const budget = await StolenBudget.of(holder);
  const payment = {
    to: { address: to.address, viewingKey: to.viewing.publicKey },
    amount: 1n,
    copyFor: noOnes(holder),
  };
  return holder instanceof Agent ? budget.spend({ ...payment, mode }, signer) : budget.transfer(payment, signer);
}

/**
 * Returns a call that moves one unit from an owner to its agent and encrypts the agent's copy for a key that no one
 * has. Without guard, a payment key can sign this.
 */
export async function poisonFunding(agent: Agent, signer: Hex): Promise<Hex> {
  const [from, to] = [await StolenBudget.of(agent.owner), await StolenBudget.of(agent)];
  return from.fund(to, 1n, signer, noOnes(agent));
}
