import { type Decimals, parseAmount } from "@/lib/base/money";
import type { DryRun } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import { viewingKeyOf } from "../payment";
import { recipientAt } from "../recipient";
import type { SendCall } from "../send";
import { askPlan, homeAsset, homeContent, homeOf, notBlind } from "./home";
import { refuseOthers } from "./pay-blind";

/**
 * Tries a payment on this machine. Nothing but the recipient and the asset is sent. Implements `transfers.dryRun` with
 * a home key.
 *
 * @throws HalcyonError the errors of the payment itself; `key_forbidden` under a policy
 */
export async function dryRunBlind(context: Context, input: SendCall): Promise<DryRun> {
  refuseOthers(input);
  const home = await homeOf(context);
  const plan = await askPlan(context, home, { to: input.to }, input.asset);
  const content = homeContent(home, plan);
  if (plan.policy) throw notBlind("make dry runs under a policy");
  parseAmount(input.amount, homeAsset(content, input.asset).decimals as Decimals);
  const to = await recipientAt(context, content.holder, input.to, plan.recipient, { later: true });
  if (!input.public) viewingKeyOf(to);
  return { dry_run: true, confidential: !input.public, outcome: "allowed", rules: [] };
}
