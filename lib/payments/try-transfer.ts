import { db } from "@/db/client";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { tryReadPolicy } from "@/lib/agents/pending-policy";
import { newestState, syncRequired } from "@/lib/balances/lock";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { optimisticRead } from "@/lib/chain/optimistic-read";
import { scopeOf } from "@/lib/chain/scope-of";
import type { PolicyDecision } from "@/lib/policy/decide";
import { readPayment, requireBuiltAtHome } from "./create-transfer";
import { evaluatePolicy } from "./enforce-policy";
import { exactUnderPolicyOnly } from "./exact/one-time";
import { findPayer } from "./find-payer";
import { paymentKindOf } from "./payment-kind";
import { decryptNewest, decryptPaymentSecrets } from "./payment-secrets";
import { readPayer } from "./read-payer";
import type { CreateTransferInput } from "./schema";

/** The policy's decision on a payment that is not made. */
export interface TriedTransfer {
  outcome: "tried";
  decision: PolicyDecision;
  /** Whether the amount would be encrypted on chain. */
  confidential: boolean;
}

/** For an account without a policy, and between an account and its agents, where no policy applies. */
const NO_POLICY: Omit<TriedTransfer, "confidential"> = {
  outcome: "tried",
  decision: { outcome: "allowed", rules: [] },
};

/**
 * Dry run of `POST /v1/transfers`: returns the decision of the payer's policy on the payment now, rule by rule, with
 * today's spending as counted by service and ledger. Does not check funds, and pays or records nothing.
 *
 * @throws the errors of createTransfer about the request itself; `invalid_request` with `client_signed`, and for a session
 */
export async function tryTransfer(ctx: Context, input: CreateTransferInput): Promise<TriedTransfer> {
  requireBuiltAtHome(ctx, input);
  const payer = await findPayer(ctx, input.from);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  if (input.client_signed) {
    throw new ApiError("invalid_request", "A dry run takes an amount: the service cannot see a client-signed one.", {
      param: "client_signed",
    });
  }
  if (ctx.actor === "session") {
    throw new ApiError("invalid_request", "A dry run reads the available balance, which takes an API key.", {
      param: "dry_run",
    });
  }
  const payment = await readPayment(ctx, payer, input);
  const { hasPolicy } = paymentKindOf(ctx, payment, await readPayer(ctx.chainId, payer));
  const { asset, amount, receiver, exact, confidential } = payment;
  if (exact && !hasPolicy) throw exactUnderPolicyOnly();
  if (!hasPolicy) return { ...NO_POLICY, confidential };
  const availableId = { chainId: ctx.chainId, account: payer.address, asset: asset.address };
  const scope = await scopeOf(ctx.chainId);
  const secrets = await decryptPaymentSecrets(ctx, scope, payer, null);
  try {
    const decision = await optimisticRead(
      () => tryReadPolicy(ctx.chainId, payer),
      (ledger) =>
        db().transaction(async (tx) => {
          const newest = await newestState(tx, availableId);
          if (newest.syncRequired) throw syncRequired();
          const available = decryptNewest(scope, availableId, newest, secrets.payer, secrets.secretVersion);
          // It does not matter which one-time address it is, because lists of recipients contain none.
          const through = exact && receiver.recipient.address;
          const act = { chainId: ctx.chainId, payer, asset, amount, recipient: receiver.recipient, through, ledger };
          return evaluatePolicy(tx, act, available, new Date());
        }),
    );
    return { outcome: "tried", decision, confidential };
  } finally {
    secrets.wipe();
  }
}
