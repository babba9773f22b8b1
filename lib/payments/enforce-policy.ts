import type { Address } from "viem";
import type { Tx } from "@/db/client";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { lockPolicy } from "@/lib/agents/lock-policy";
import type { PolicyRead } from "@/lib/agents/pending-policy";
import { type PolicyInForce, policyNotInForce, requirePolicyInForce } from "@/lib/agents/policy-in-force";
import { syncRequired } from "@/lib/balances/lock";
import type { Asset } from "@/lib/base/assets";
import type { ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { agentEnded } from "@/lib/base/payment-errors";
import type { AvailableOpening } from "@/lib/ledger/crypto/commitments";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { windowAfter } from "@/lib/ledger/crypto/window-after";
import type { RecipientProof } from "@/lib/ledger/policy/recipients-tree";
import type { LimitedTerms } from "@/lib/ledger/prepare/limited-step";
import { countingOf, spendingState } from "@/lib/policy/counting";
import {
  decide,
  decideActOfOwner,
  decideApproval,
  decideUnseen,
  type PolicyAct,
  type PolicyDecision,
} from "@/lib/policy/decide";
import { rulesForPlainKeys } from "@/lib/policy/plain-rules";
import { policyViolation } from "@/lib/policy/policy-violation";
import { addSpent, InvalidCounters } from "@/lib/policy/spent";
import { countPayments } from "./blind/count-payments";
import { type PolicyDay, policyDay } from "./policy-day";
import type { EncryptedWallet } from "./resolve-signer";

type LockedPayer = NonNullable<Awaited<ReturnType<typeof lockPolicy>>>;

/** The payment that is checked against the policy of the paying agent or account. */
interface LimitedAct {
  chainId: ChainId;
  payer: ContextAccount;
  asset: Asset;
  /** The recipient, for the policy. */
  recipient: Recipient;
  /** The one-time address that the ledger pays, if the recipient is an `exact` seller. */
  through?: Address | undefined;
  /** The ledger's policy, read before the transaction, or the error of reading it. */
  ledger: PolicyRead | Error;
}

/** The modes of payments that a policy decides on: by the agent's own key, or approved by its owner's. */
type DecidedMode = Exclude<SpendMode, typeof SPEND_MODE.wallet>;

/** What the ledger needs for a payment under the policy that it has. */
export interface LedgerTerms extends LimitedTerms {
  policyVersion: bigint;
  /** Sent with the payment. */
  recipientProof: RecipientProof;
  /** The last second at which the ledger accepts it. */
  latest: bigint;
  /** Pending operations that set the policy; they must reach the chain first. */
  follows: readonly string[];
}

/** A payment that its policy allows. */
interface Ruling {
  /** Whether it is above what a key may decide by itself. */
  isOverThreshold: boolean;
  /** The payer's counters after the payment, which become part of its next available balance state. */
  counters: Uint8Array;
  /** The agent's own key. */
  key: EncryptedWallet;
  terms: LedgerTerms;
}

/**
 * Checks a payment against the policy of its payer. The policy can't change during the transaction: changes of policy
 * or status wait. Checks what the service has counted, what the ledger has counted, and the ledger's list of
 * recipients. The available balances must already be locked.
 *
 * @param available the newest opening of the payer's available balance, with its counters
 * @param mode 1: the owner has approved the payment, so the threshold is not checked
 * @throws ApiError `policy_violation`, `policy_not_in_force`, `sync_required` (unreadable counters); ReadAgain
 */
export async function enforcePolicy(
  tx: Tx,
  payment: LimitedAct & { amount: bigint },
  available: AvailableOpening,
  mode: DecidedMode,
  now: Date,
): Promise<Ruling> {
  const { agent, decision, terms } = await ask(tx, payment, available, mode, now);
  if (decision.outcome === "denied") throw policyViolation(decision.reason);
  if (!terms) throw new Error("a payment was allowed that the ledger has no terms for");
  return {
    isOverThreshold: decision.outcome === "held",
    counters: addSpent(available.counters, now, payment.amount, countingOf(agent.policy, actOf(payment), now)),
    key: agent,
    terms,
  };
}

/** Like {@link enforcePolicy}, but only returns the result of every rule. Reserves nothing. */
export async function evaluatePolicy(
  tx: Tx,
  payment: LimitedAct & { amount: bigint },
  available: AvailableOpening,
  now: Date,
): Promise<PolicyDecision> {
  return (await ask(tx, payment, available, SPEND_MODE.agent, now)).decision;
}

/**
 * Like {@link enforcePolicy}, for a payment that the payer's owner has signed: checks pause, asset, recipient and
 * hours. The amount is hidden; the ledger judges it.
 *
 * @param mode in which it will be paid; for a payment signed by the wallet the ledger does not check the policy
 * @returns what is sent to the ledger with it; null if the wallet signs
 */
export async function enforceClientSignedPolicy(
  tx: Tx,
  act: LimitedAct,
  mode: SpendMode,
  now: Date,
): Promise<LedgerTerms | null> {
  const agent = await lockPaying(tx, act);
  const decision = decideActOfOwner(agent.policy, agent.status !== "active", actOf(act), now);
  if (decision.outcome === "denied") throw policyViolation(decision.reason);
  return mode === SPEND_MODE.wallet ? null : termsFor(tx, act, agent, mode, now);
}

/**
 * Like {@link enforceClientSignedPolicy}, for a payment of a blind key, which its holder signs for by itself: also
 * counts the payments, and refuses rules that need amounts.
 *
 * @throws ApiError `key_forbidden` for such a rule, and as `enforcePolicy`
 */
export async function enforceUnseenPolicy(tx: Tx, act: LimitedAct, now: Date): Promise<LedgerTerms> {
  const agent = await lockPaying(tx, act);
  const [rule] = rulesForPlainKeys(agent.policy);
  if (rule) {
    throw new ApiError(
      "key_forbidden",
      `The rule ${rule} of this policy needs amounts, which the service can't see of a blind key. Use a plain key.`,
    );
  }
  const standing = await countPayments(tx, act, agent.policy, agent.status !== "active", now);
  const decision = decideUnseen(agent.policy, standing, actOf(act), now);
  if (decision.outcome === "denied") throw policyViolation(decision.reason);
  return termsFor(tx, act, agent, SPEND_MODE.agent, now);
}

/**
 * Returns the ledger's terms for a payment that the service's policy does not restrict: a withdrawal signed by a key,
 * which the ledger still counts.
 */
export async function ledgerTerms(tx: Tx, act: LimitedAct, mode: DecidedMode, now: Date): Promise<LedgerTerms> {
  return termsFor(tx, act, await lockPaying(tx, act), mode, now);
}

async function ask(
  tx: Tx,
  payment: LimitedAct & { amount: bigint },
  available: AvailableOpening,
  mode: DecidedMode,
  now: Date,
): Promise<{ agent: LockedPayer; decision: PolicyDecision; terms: LedgerTerms | null }> {
  const agent = await lockPaying(tx, payment);
  const { policy, status } = agent;
  const time = policyDay(payment.chainId, policy.timeZone, now);
  // Only an active agent is not paused, whatever the row says.
  const paused = status !== "active";
  const counted = readCounters(() => spendingState(policy, paused, available.counters, actOf(payment), now));
  const standing = { ...counted, spentToday: most(counted.spentToday, countedOn(available, mode, time)) };
  const act = { ...actOf(payment), amount: payment.amount };
  const rules = mode === SPEND_MODE.approved ? decideApproval : decide;
  const decision = rules(policy, standing, act, now);
  // What the stored policy denies is denied, whatever the ledger has.
  if (decision.outcome === "denied") return { agent, decision, terms: null };
  const inForce = await requirePolicyInForce(tx, payment.ledger, agent);
  const proof = inForce.tree.proofOf(payment.through ?? payment.recipient.address);
  // The policy lists the recipient by name, but it had another address when the policy was set.
  if (!proof) return { agent, decision: rules({ ...policy, allowedRecipients: [] }, standing, act, now), terms: null };
  return { agent, decision, terms: termsOf(inForce, payment.asset, proof, mode, time) };
}

async function lockPaying(tx: Tx, { chainId, payer }: Pick<LimitedAct, "chainId" | "payer">): Promise<LockedPayer> {
  const locked = await lockPolicy(tx, chainId, payer, "share");
  if (!locked) throw policyNotInForce();
  if (locked.status === "ended") throw agentEnded();
  return locked;
}

async function termsFor(
  tx: Tx,
  act: LimitedAct,
  agent: LockedPayer,
  mode: DecidedMode,
  now: Date,
): Promise<LedgerTerms> {
  const inForce = await requirePolicyInForce(tx, act.ledger, agent);
  const proof = inForce.tree.proofOf(act.through ?? act.recipient.address);
  if (!proof) throw policyViolation("recipient_not_allowed");
  return termsOf(inForce, act.asset, proof, mode, policyDay(act.chainId, agent.policy.timeZone, now));
}

function termsOf(
  inForce: PolicyInForce,
  asset: Asset,
  recipientProof: RecipientProof,
  mode: DecidedMode,
  { day, latest }: PolicyDay,
): LedgerTerms {
  return {
    terms: { mode, day },
    policyCommitment: inForce.commitmentOf(asset.address),
    policy: inForce.openingOf(asset.address) ?? undefined,
    policyVersion: inForce.policyVersion,
    recipientProof,
    latest,
    follows: inForce.follows,
  };
}

/** Returns what the ledger has counted for the payment's day. */
function countedOn({ window }: AvailableOpening, mode: DecidedMode, { day }: PolicyDay): bigint {
  return windowAfter(window, { mode, day }, 0n).spent;
}

const most = (a: bigint, b: bigint) => (a > b ? a : b);

function actOf({ asset, recipient, through }: Pick<LimitedAct, "asset" | "recipient" | "through">): PolicyAct {
  const { address, account } = recipient;
  return {
    asset: asset.symbol,
    recipient: { handle: account?.handle ?? null, address },
    isExact: through !== undefined,
  };
}

function readCounters<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidCounters ? syncRequired() : error;
  }
}
