import type { Hex } from "viem";
import { db } from "@/db/client";
import { lockPolicy } from "@/lib/agents/lock-policy";
import { newestPolicyWord, requirePolicyInForce } from "@/lib/agents/policy-in-force";
import { readPolicy } from "@/lib/agents/policy-under-way";
import { assetBySymbol } from "@/lib/assets";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import type { PreparedDocument, PreparedSpend, PreparedSpendPublic } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan, type Plan } from "@/lib/ledger/prepare/plan";
import { planSpend } from "@/lib/ledger/prepare/plan-spend";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import type { RuledTerms } from "@/lib/ledger/prepare/ruled-step";
import { calendarDay } from "@/lib/policy/calendar-day";
import { addSpent } from "@/lib/policy/spent";
import { processProver } from "@/lib/prover/process-prover";
import type { Agent } from "./agent";
import { seconds } from "./budget-holder";
import type { Owner } from "./owner";

/** Who pays or is paid in a test. */
export type Party = Owner | Agent;

/** How a payment under a policy is signed: by whose key, and in which mode that is. */
export interface SpendSigner {
  mode: SpendMode;
  key: Hex;
}

/** Proves and signs a plan with a key. */
export async function complete<D extends PreparedDocument>(plan: Plan<D>, key: Hex): Promise<D> {
  const prover = await processProver();
  return completePlan(plan, (circuit, input) => prover.prove(circuit, input), keySigner(key));
}

/** What every payment of a party in USDG needs to know; the deadline is an hour ahead. */
export async function requestOf(from: Party, to: Party, amount: bigint) {
  return {
    scope: from.scope,
    account: from.address,
    to: to.address,
    asset: assetBySymbol(from.session.chainId).address,
    budget: await from.openBudget(),
    amount,
    deadline: seconds(3_600),
    payerViewingKey: from.viewing.publicKey,
    secret: from.secret,
  };
}

/** What the ledger wants to see of a payment of this party now, as its owner's client finds it out. */
export async function termsOf(from: Party, mode: SpendMode): Promise<RuledTerms & { policyVersion: bigint }> {
  const { account } = from;
  const { chainId } = from.session;
  const asset = assetBySymbol(chainId).address;
  const read = await readPolicy(chainId, account);
  if (mode === SPEND_MODE.wallet) {
    const { policyVersion } = read;
    return { policyVersion, policyWord: await newestPolicyWord(read, asset), terms: { mode, day: 0n } };
  }
  return db().transaction(async (tx) => {
    const locked = await lockPolicy(tx, chainId, account, "share");
    if (!locked) throw new Error("this party has no policy");
    const inForce = await requirePolicyInForce(tx, read, locked);
    return {
      policyVersion: inForce.policyVersion,
      policyWord: inForce.wordOf(asset),
      policy: inForce.openingOf(asset) ?? undefined,
      terms: { mode, day: BigInt(calendarDay(locked.policy.timeZone, new Date())) },
    };
  });
}

/** A confidential payment under a policy, as the client of its owner prepares it. */
export async function prepareSpend(
  from: Party,
  to: Party,
  amount: bigint,
  signer: SpendSigner,
): Promise<PreparedSpend> {
  const request = await requestOf(from, to, amount);
  // What an owner's client spends of an agent's money it counts.
  const counters = addSpent(request.budget.counters, new Date(), amount);
  const terms = await termsOf(from, signer.mode);
  const plan = await planSpend({ ...request, ...terms, counters, recipientViewingKey: to.viewing.publicKey });
  return complete(plan, signer.key);
}

/** The same, of a public amount. */
export async function preparePublicSpend(
  from: Party,
  to: Party,
  amount: bigint,
  signer: SpendSigner,
): Promise<PreparedSpendPublic> {
  const terms = await termsOf(from, signer.mode);
  return complete(await planSpendPublic({ ...(await requestOf(from, to, amount)), ...terms }), signer.key);
}
