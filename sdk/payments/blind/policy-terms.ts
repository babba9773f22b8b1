import type { Address } from "viem";
import { toHex } from "@/lib/ledger/crypto/bytes";
import type { SpendMode } from "@/lib/ledger/crypto/terms";
import type { HomeAsset, HomeContent } from "@/lib/ledger/encrypted/blind-key";
import { mayTakePolicy, type TakenPolicy } from "@/lib/ledger/encrypted/blind-state";
import { notInForce, type PolicyInForce, policyOnChain } from "../../account/session-policy";
import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { poll } from "../../context/operation";
import type { Recipient } from "../recipient";
import { dayWithin, type TermsWithin, termsWithin } from "../terms-within";
import { type BlindPlan, type Home, homeAsset, homeContent } from "./home";

/** A plan whose policy the ledger has. */
export interface PlanInForce {
  plan: BlindPlan;
  content: HomeContent;
  /** Null for an account whose keys have no limits. */
  policy: PolicyInForce | null;
}

/**
 * Asks for a plan until the ledger has its policy.
 *
 * @throws HalcyonError `policy_not_in_force` for another policy than the ledger's
 */
function planInForce(context: Context, home: Home, ask: () => Promise<BlindPlan>): Promise<PlanInForce> {
  return poll(context, "The policy", async () => {
    const plan = await ask();
    const content = homeContent(home, plan);
    const { policy: rows, held } = plan;
    const payer = held?.payer ?? content.holder;
    if (!rows) {
      const { limited } = await (await context.chain()).account(payer);
      if (limited) throw notInForce();
      return { plan, content, policy: null };
    }
    const policy = await policyOnChain(context, payer, rows, assetsOf(content));
    if (!policy && !(rows.ledger && rows.in_force === "pending")) throw notInForce();
    return policy && { plan, content, policy };
  });
}

const assetsOf = (content: HomeContent) => ({
  USDG: homeAsset(content).address,
  ETH: homeAsset(content, "ETH").address,
});

/**
 * Returns an earlier plan, if the ledger still has the policy that it was made under.
 *
 * @throws HalcyonError `policy_not_in_force`
 */
export async function stillInForce(context: Context, planned: PlanInForce): Promise<PlanInForce> {
  const { plan, content } = planned;
  if (!plan.policy) return planned;
  const policy = await policyOnChain(context, content.holder, plan.policy, assetsOf(content));
  if (!policy) throw notInForce();
  return { ...planned, policy };
}

/**
 * Returns a function that asks for a plan as {@link planInForce}, under the same policy each time: by a choice of
 * policies, a service could read an amount from which of them refuse it.
 */
export function frozenPlans(context: Context, home: Home, ask: () => Promise<BlindPlan>): () => Promise<PlanInForce> {
  let frozen: string | undefined;
  return async () => {
    const planned = await planInForce(context, home, ask);
    const shown = planned.policy ? toHex(planned.policy.taken.hash) : "";
    frozen ??= shown;
    if (shown === frozen) return planned;
    throw new HalcyonError("policy_not_in_force", "The policy has changed meanwhile. Pay again, with the same key.");
  };
}

/** What a payment under a policy is built with, and the time by the chain. */
export type PolicyTerms = TermsWithin & { now: Date };

/**
 * Returns what a payment needs to be within a policy.
 *
 * @param mode who authorizes it: the key that asks, or the owner's payment key
 * @param before the newest policy with which a client has written this balance
 * @throws HalcyonError `policy_violation` for a recipient that the ledger does not allow; `policy_not_in_force` for an
 *   older policy than before
 */
export async function policyTerms(
  context: Context,
  policy: PolicyInForce,
  {
    holder,
    asset,
    to,
    before,
    mode,
  }: { holder: Address; asset: HomeAsset; to: Recipient; before: TakenPolicy; mode: SpendMode },
): Promise<PolicyTerms> {
  const chain = await context.chain();
  const [now, deadline, commitment] = await Promise.all([
    chain.now(),
    chain.deadline(),
    chain.policyCommitmentOf(holder, asset.address),
  ]);
  if (!mayTakePolicy(before, policy.taken)) {
    throw new HalcyonError(
      "policy_not_in_force",
      "Your node shows an older policy than this balance was paid under. Nothing was sent. Check your node.",
    );
  }
  const paid = { to: to.address, payee: to, asset: asset.address, commitment };
  const terms = termsWithin(policy, paid, mode, now, dayWithin(policy, now, deadline));
  return { ...terms, now: new Date(1_000 * Number(now)) };
}
