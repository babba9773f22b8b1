import { db } from "@/db/client";
import { tryReadPolicy } from "@/lib/agents/policy-under-way";
import { newestState, resealRequired } from "@/lib/budgets/lock";
import { readingAgain } from "@/lib/chain/read-again";
import { scopeOf } from "@/lib/chain/scope-of";
import type { KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { requireKyc } from "@/lib/kyc/require-kyc";
import { CHAIN_ID } from "@/lib/network";
import type { Decision } from "@/lib/policy/decide";
import { readPayment } from "./create-transfer";
import { evaluatePolicy } from "./enforce-policy";
import { exactUnderPolicyOnly } from "./exact/one-time";
import { findPayer } from "./find-payer";
import { moveOf } from "./move-of";
import { openNewest, openSecrets } from "./payment-secrets";
import { readPayer } from "./read-payer";
import type { CreateTransferInput } from "./schema";

/** What the policy says of a payment no one made. */
export interface TriedTransfer {
  outcome: "tried";
  decision: Decision;
  /** Whether the amount would be encrypted on chain. */
  confidential: boolean;
}

/** Of an account without a policy, and between one and its agents: no policy rules that. */
const NO_POLICY: Omit<TriedTransfer, "confidential"> = {
  outcome: "tried",
  decision: { outcome: "allowed", rules: [] },
};

/**
 * A dry run of `POST /v1/transfers`: what the payer's policy says of the payment as of now, rule by rule, as service and
 * ledger count what was spent today. Funds are not asked, nothing is paid or recorded.
 *
 * @throws what createTransfer throws of the request itself; invalid_request with `prepared`
 */
export async function tryTransfer(ctx: KeyContext, input: CreateTransferInput): Promise<TriedTransfer> {
  const payer = await findPayer(ctx, input.from);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  if (input.prepared) {
    throw new ApiError("invalid_request", "A dry run takes an amount: the service cannot see a prepared one.", {
      param: "prepared",
    });
  }
  const payment = await readPayment(ctx, payer, input);
  const { hasPolicy } = moveOf(ctx, payment, await readPayer(ctx.chainId, payer), false);
  const { asset, amount, receiver, exact, confidential } = payment;
  if (exact && !hasPolicy) throw exactUnderPolicyOnly();
  if (!hasPolicy) return { ...NO_POLICY, confidential };
  const budgetId = { chainId: ctx.chainId, account: payer.address, asset: asset.address };
  const scope = await scopeOf(ctx.chainId);
  const secrets = await openSecrets(ctx, scope, payer, null);
  try {
    const decision = await readingAgain(
      () => tryReadPolicy(ctx.chainId, payer),
      (ledger) =>
        db().transaction(async (tx) => {
          const newest = await newestState(tx, budgetId);
          if (newest.resealRequired) throw resealRequired();
          const budget = openNewest(scope, budgetId, newest, secrets.payer, secrets.secretVersion);
          // Which one-time address it is makes no difference: none is in a list of recipients.
          const through = exact && receiver.recipient.address;
          const act = { chainId: ctx.chainId, payer, asset, amount, recipient: receiver.recipient, through, ledger };
          return evaluatePolicy(tx, act, budget, new Date());
        }),
    );
    return { outcome: "tried", decision, confidential };
  } finally {
    secrets.wipe();
  }
}
