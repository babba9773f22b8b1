import { type Decimals, parseAmount } from "@/lib/base/money";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { windowAfter } from "@/lib/ledger/crypto/window-after";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { PolicyAsset } from "@/lib/policy/amount-limits";
import { spendingState } from "@/lib/policy/counting";
import { decide } from "@/lib/policy/decide";
import { hasOpenRecipients } from "@/lib/policy/policy-document";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { type PolicyInForce, policyOfResource } from "../../account/session-policy";
import { HalcyonError } from "../../api/errors";
import type { DryRun } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import { viewingKeyOf } from "../payment";
import { type Recipient, recipientAt } from "../recipient";
import type { SendCall } from "../send";
import { dayWithin } from "../terms-within";
import { askPlan, decryptState, homeAsset, homeOf } from "./home";
import { refuseOthers } from "./pay-blind";
import { frozenPlans } from "./policy-terms";

/**
 * Tries a payment on this machine, within the policy that the ledger has and with what the encrypted balance has
 * counted. Nothing but the recipient and the asset is sent. Implements `transfers.dryRun` with a home key.
 *
 * @throws HalcyonError the errors of the payment itself
 */
export async function dryRunBlind(context: Context, input: SendCall): Promise<DryRun> {
  refuseOthers(input);
  const home = await homeOf(context);
  const { to, asset: symbol = "USDG" } = input;
  const ask = frozenPlans(context, home, () => askPlan(context, home, { to }, symbol));
  const { plan, content, policy } = await ask();
  const asset = homeAsset(content, symbol);
  const amount = parseAmount(input.amount, asset.decimals as Decimals);
  if (amount === 0n) {
    throw new HalcyonError("invalid_request", "A payment is of more than zero.", { param: "amount" });
  }
  const recipient = await recipientAt(context, content.holder, to, plan.recipient, { later: true });
  if (!input.public) viewingKeyOf(recipient);
  const tried = { dry_run: true, confidential: !input.public } as const;
  if (!policy) return { ...tried, outcome: "allowed", rules: [] };
  const { counters, window } = decryptState(home, content, asset.address, plan);
  const now = await (await context.chain()).now();
  const at = new Date(1_000 * Number(now));
  const rules = policyOfResource(policy.rows);
  const payment = {
    asset: symbol as PolicyAsset,
    recipient: { handle: recipient.handle, address: lowerCase(recipient.address) },
    amount,
  };
  const counted = spendingState(rules, policy.rows.ledger?.paused ?? false, counters, payment, at);
  const { day } = dayWithin(policy, now, now);
  const { spent } = windowAfter(window, { mode: SPEND_MODE.agent, day }, 0n);
  const standing = { ...counted, spentToday: most(counted.spentToday, spent) };
  const { outcome, ...decision } = decide(withListed(policy, rules, recipient), standing, payment, at);
  return { ...tried, outcome, ...decision };
}

const most = (a: bigint, b: bigint) => {
  if (a > b) return a;
  return b;
};

/** The policy, with the recipient as the ledger has it: a name that the policy lists may have got another address. */
function withListed(policy: PolicyInForce, rules: SpendPolicy, { address }: Recipient): SpendPolicy {
  if (!policy.allows(address)) return { ...rules, allowedRecipients: [] };
  return hasOpenRecipients(rules) ? rules : { ...rules, allowedRecipients: ["*"] };
}
