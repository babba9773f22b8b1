import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { type LockedAgent, lockAgent } from "@/lib/agents/lock-agent";
import type { Asset } from "@/lib/assets";
import { resealRequired } from "@/lib/budgets/lock";
import type { ContextAccount } from "@/lib/context/context";
import type { BudgetOpening } from "@/lib/ledger/crypto/commitments";
import { policyViolation } from "@/lib/payment-errors";
import { type Decision, decide, decideActOfOwner, decideApproval, type PolicyAct } from "@/lib/policy/decide";
import { addSpent, InvalidCounters, spentOnDay } from "@/lib/policy/spent";

/** What the policy of the paying agent is asked about. */
interface RuledAct {
  payer: ContextAccount;
  asset: Asset;
  recipient: Recipient;
}

/** A payment that its agent's policy allows. */
interface Ruling {
  /** More than the agent may decide by itself. */
  isOverThreshold: boolean;
  /** The agent's counters once the payment is made: part of its next budget state. */
  counters: Uint8Array;
  /** What signs for the agent, sealed. */
  wallet: Hex;
  secretVersion: number;
}

/**
 * Asks the policy of the agent that pays, as it stands while the transaction lasts: a change of policy or status waits.
 * The budgets are locked already.
 *
 * @param budget the newest opening of the agent's budget, with its counters
 * @param approved its owner has approved the payment: the threshold is not asked
 * @throws policy_violation, reseal_required (counters no one can read)
 */
export async function enforcePolicy(
  tx: Tx,
  payment: RuledAct & { amount: bigint },
  { counters }: BudgetOpening,
  approved: boolean,
  now: Date,
): Promise<Ruling> {
  const agent = await lockAgent(tx, payment.payer.id, "share");
  const decision = ask(approved ? decideApproval : decide, agent, payment, counters, now);
  requireAllowed(decision);
  return {
    isOverThreshold: decision.outcome === "held",
    counters: addSpent(counters, now, payment.amount),
    wallet: agent.wallet,
    secretVersion: agent.secretVersion,
  };
}

/** As {@link enforcePolicy}, of what the agent's owner has prepared: pause, asset, recipient and hours. */
export async function enforcePreparedPolicy(tx: Tx, act: RuledAct, now: Date): Promise<void> {
  const { status, policy } = await lockAgent(tx, act.payer.id, "share");
  requireAllowed(decideActOfOwner(policy, status === "paused", actOf(act), now));
}

/** Like {@link enforcePolicy}, but only reports: the result of every rule. Nothing is reserved. */
export async function evaluatePolicy(
  tx: Tx,
  payment: RuledAct & { amount: bigint },
  { counters }: BudgetOpening,
  now: Date,
): Promise<Decision> {
  return ask(decide, await lockAgent(tx, payment.payer.id, "share"), payment, counters, now);
}

function ask(
  rules: typeof decide,
  { status, policy }: LockedAgent,
  payment: RuledAct & { amount: bigint },
  counters: Uint8Array | undefined,
  now: Date,
): Decision {
  const standing = { paused: status === "paused", spentToday: spentToday(counters, policy.timeZone, now) };
  return rules(policy, standing, { ...actOf(payment), amount: payment.amount }, now);
}

function actOf({ asset, recipient }: RuledAct): PolicyAct {
  const { address, account } = recipient;
  return { asset: asset.symbol, recipient: { handle: account?.handle ?? null, address } };
}

function spentToday(counters: Uint8Array | undefined, timeZone: string, now: Date): bigint {
  try {
    return spentOnDay(counters, timeZone, now);
  } catch (error) {
    throw error instanceof InvalidCounters ? resealRequired() : error;
  }
}

function requireAllowed(decision: Decision): void {
  if (decision.outcome === "denied") throw policyViolation(decision.reason);
}
