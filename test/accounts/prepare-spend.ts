import type { Hex } from "viem";
import { db } from "@/db/client";
import { lockPolicy } from "@/lib/agents/lock-policy";
import { readPolicy } from "@/lib/agents/pending-policy";
import { newestPolicyCommitment, requirePolicyInForce } from "@/lib/agents/policy-in-force";
import { assetBySymbol } from "@/lib/base/assets";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import type { SignedDocument, SignedSpend, SignedSpendPublic } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import type { LimitedTerms } from "@/lib/ledger/prepare/limited-step";
import { completePlan, type Plan } from "@/lib/ledger/prepare/plan";
import { planSpend } from "@/lib/ledger/prepare/plan-spend";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import { calendarDay } from "@/lib/policy/calendar-day";
import { addSpent } from "@/lib/policy/spent";
import { processProver } from "@/lib/prover/process-prover";
import type { Agent } from "./agent";
import { seconds } from "./available-holder";
import type { Owner } from "./owner";

/** Who pays or is paid in a test. */
export type Party = Owner | Agent;

/** The key that signs a payment under a policy, and the mode that this makes it. */
export interface SpendSigner {
  mode: SpendMode;
  key: Hex;
}

/** Proves a plan and signs it with a key. */
export async function complete<D extends SignedDocument>(plan: Plan<D>, key: Hex): Promise<D> {
  const prover = await processProver();
  return completePlan(plan, (circuit, input) => prover.prove(circuit, input), keySigner(key));
}

/** Returns what every USDG payment of a party needs. The deadline is an hour ahead. */
export async function requestOf(from: Party, to: Party, amount: bigint) {
  return {
    scope: from.scope,
    account: from.address,
    to: to.address,
    asset: assetBySymbol(from.session.chainId).address,
    available: await from.decryptAvailable(),
    amount,
    deadline: seconds(3_600),
    payerViewingKey: from.viewing.publicKey,
    secret: from.secret,
  };
}

/**
 * Returns the terms that the ledger currently requires for a payment of this party, as its owner's client determines
 * them.
 */
export async function termsOf(from: Party, mode: SpendMode): Promise<LimitedTerms & { policyVersion: bigint }> {
  const { account } = from;
  const { chainId } = from.session;
  const asset = assetBySymbol(chainId).address;
  const read = await readPolicy(chainId, account);
  if (mode === SPEND_MODE.wallet) {
    const { policyVersion } = read;
    return { policyVersion, policyCommitment: await newestPolicyCommitment(read, asset), terms: { mode, day: 0n } };
  }
  return db().transaction(async (tx) => {
    const locked = await lockPolicy(tx, chainId, account, "share");
    if (!locked) throw new Error("this party has no policy");
    const inForce = await requirePolicyInForce(tx, read, locked);
    return {
      policyVersion: inForce.policyVersion,
      policyCommitment: inForce.commitmentOf(asset),
      policy: inForce.openingOf(asset) ?? undefined,
      terms: { mode, day: BigInt(calendarDay(locked.policy.timeZone, new Date())) },
    };
  });
}

/** Prepares a confidential payment under a policy, as its owner's client does. */
export async function prepareSpend(from: Party, to: Party, amount: bigint, signer: SpendSigner): Promise<SignedSpend> {
  const request = await requestOf(from, to, amount);
  // The owner's client counts what it spends of an agent's money.
  const counters = addSpent(request.available.counters, new Date(), amount);
  const terms = await termsOf(from, signer.mode);
  const plan = await planSpend({ ...request, ...terms, counters, recipientViewingKey: to.viewing.publicKey });
  return complete(plan, signer.key);
}

/** Prepares a payment of a public amount under a policy. */
export async function preparePublicSpend(
  from: Party,
  to: Party,
  amount: bigint,
  signer: SpendSigner,
): Promise<SignedSpendPublic> {
  const terms = await termsOf(from, signer.mode);
  return complete(await planSpendPublic({ ...(await requestOf(from, to, amount)), ...terms }), signer.key);
}
