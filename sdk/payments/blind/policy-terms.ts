import type { Address } from "viem";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
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
export function planInForce(context: Context, home: Home, ask: () => Promise<BlindPlan>): Promise<PlanInForce> {
  return poll(context, "The policy", async () => {
    const plan = await ask();
    const content = homeContent(home, plan);
    const { policy: rows } = plan;
    if (!rows) {
      const { limited } = await (await context.chain()).account(content.holder);
      if (limited) throw notInForce();
      return { plan, content, policy: null };
    }
    const assets = { USDG: homeAsset(content).address, ETH: homeAsset(content, "ETH").address };
    const policy = await policyOnChain(context, content.holder, rows, assets);
    if (!policy && !(rows.ledger && rows.in_force === "pending")) throw notInForce();
    return policy && { plan, content, policy };
  });
}

/** What a payment under a policy is built with, in mode 0, and the time by the chain. */
export type PolicyTerms = TermsWithin & { now: Date };

/**
 * Returns what a payment needs to be within a policy.
 *
 * @param before the newest policy with which a client has written this balance
 * @throws HalcyonError `policy_violation` for a recipient that the ledger does not allow; `policy_not_in_force` for an
 *   older policy than before
 */
export async function policyTerms(
  context: Context,
  policy: PolicyInForce,
  { holder, asset, to, before }: { holder: Address; asset: HomeAsset; to: Recipient; before: TakenPolicy },
): Promise<PolicyTerms> {
  const chain = await context.chain();
  const [now, deadline, word] = await Promise.all([
    chain.now(),
    chain.deadline(),
    chain.policyWordOf(holder, asset.address),
  ]);
  if (!mayTakePolicy(before, policy.taken)) {
    throw new HalcyonError(
      "policy_not_in_force",
      "Your node shows an older policy than this balance was paid under. Nothing was sent. Check your node.",
    );
  }
  const paid = { to: to.address, payee: to, asset: asset.address, word };
  const terms = termsWithin(policy, paid, SPEND_MODE.agent, now, dayWithin(policy, now, deadline));
  return { ...terms, now: new Date(1_000 * Number(now)) };
}
