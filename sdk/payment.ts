import type { PreparedRelease, PreparedTransfer } from "@/lib/ledger/documents";
import { completePlan } from "@/lib/ledger/plan";
import { planRelease } from "@/lib/ledger/prepare-release";
import { planTransfer } from "@/lib/ledger/prepare-transfer";
import { keySigner } from "@/lib/ledger/sign";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { openBudget, readView } from "./funds";
import type { Asset } from "./network-info";
import type { Recipient } from "./recipient";

export interface PaymentInput {
  to: Recipient;
  asset: Asset;
  units: bigint;
  /** Public: the amount stands in clear on chain. */
  confidential: boolean;
  memo?: string;
}

/**
 * Builds, proves and signs a payment on this machine, from the newest budget state. The service gets no amount and no
 * key (docs/protocol.md section 7); of a public payment it gets the amount the chain shows as well.
 *
 * @throws InsufficientBudget, InvalidMemo; HalcyonError `recipient_not_confidential_ready`
 */
export async function preparePayment(
  context: Context,
  input: PaymentInput,
): Promise<PreparedTransfer | PreparedRelease> {
  const { to, asset } = input;
  const [scope, vault, chain] = await Promise.all([context.scope(), context.vault(), context.chain()]);
  const [prove, deadline] = await Promise.all([context.prover(), chain.deadline()]);
  // Last of all: from here on every other payment of this budget makes ours out of date.
  const view = await readView(context, asset);
  const request = {
    scope,
    account: context.wallet.address,
    to: to.address,
    asset: asset.address,
    budget: openBudget(scope, vault, asset.address, view),
    amount: input.units,
    deadline,
    payerViewingKey: vault.viewingKey.publicKey,
    secret: vault.secret,
    memo: input.memo,
  };
  const sign = keySigner(vault.spender.privateKey);
  if (!input.confidential) {
    const plan = await planRelease({ ...request, recipientViewingKey: to.viewingKey ?? undefined });
    return completePlan(plan, prove, sign);
  }
  if (!to.viewingKey) {
    throw new HalcyonError(
      "recipient_not_confidential_ready",
      "This recipient has not enrolled on this network. Send with --public, or ask them to sign up first.",
    );
  }
  return completePlan(await planTransfer({ ...request, recipientViewingKey: to.viewingKey }), prove, sign);
}
