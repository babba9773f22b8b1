import type { Hex } from "viem";
import { deriveViewingKey, newRoot } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { Agent } from "@/test/accounts/agent";
import type { Owner } from "@/test/accounts/owner";
import { StolenBudget } from "./stolen-budget";

/** A viewing key that no one has: what is sealed to it opens for no one. */
const noOnes = ({ scope }: Owner | Agent) => deriveViewingKey(newRoot(), scope).publicKey;

/**
 * What someone who can sign for a stolen budget sends: one unit to someone, and the payer's copy sealed to no one. An
 * agent's goes under its policy.
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

/** One unit from an owner to its agent, and the agent's copy sealed to no one: what a spender can sign unguarded. */
export async function poisonFunding(agent: Agent, signer: Hex): Promise<Hex> {
  const [from, to] = [await StolenBudget.of(agent.owner), await StolenBudget.of(agent)];
  return from.fund(to, 1n, signer, noOnes(agent));
}
