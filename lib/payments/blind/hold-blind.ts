import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { type PolicyRead, policyTurn, tryReadPolicy } from "@/lib/agents/pending-policy";
import { checkByClock } from "@/lib/balances/check-document";
import type { Asset } from "@/lib/base/assets";
import { clocksOf } from "@/lib/base/clock";
import type { BeforeCommit, Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { ID_SLACK_MS, idTime } from "@/lib/base/ids";
import { scopeOf } from "@/lib/chain/scope-of";
import { heldDigest } from "@/lib/ledger/encrypted/held";
import { recordHeld } from "@/lib/payments/approvals/hold";
import { claimDetails, type DetailsToClaim } from "@/lib/payments/claim-details";
import { enforceUnseenPolicy } from "@/lib/payments/enforce-policy";
import type { CreatedTransfer } from "@/lib/payments/paid-transfer";
import { inPaymentTransaction } from "@/lib/payments/payment-transaction";
import type { BlindPaymentInput } from "@/lib/payments/schema";
import { requireBlindPayer, requireSigned } from "./blind-payment";

/** A payment above the threshold, as its request names it. */
interface PaymentToHold {
  payer: ContextAccount;
  recipient: Recipient;
  /** As the caller specified it. */
  to: string;
  asset: Asset;
  confidential: boolean;
  details: DetailsToClaim;
  held: NonNullable<BlindPaymentInput["held"]>;
  signature: Hex;
}

/**
 * Holds a payment that a client with a home key has encrypted for the owner, because it is above the threshold. What the
 * service can check without the amount is checked as for a payment. The approval has to make exactly its note.
 *
 * @throws ApiError as `blindPayment`; `policy_violation`, `policy_not_in_force`
 */
export async function holdBlind(
  ctx: Context,
  { payer, recipient, to, asset, confidential, details: asked, held, signature }: PaymentToHold,
  beforeCommit: BeforeCommit<CreatedTransfer>,
): Promise<CreatedTransfer> {
  const { chainId } = ctx;
  const key = requireBlindPayer(ctx, payer);
  const { transaction_id: id, encrypted, note } = held;
  const scope = await scopeOf(chainId);
  const request = { scope, path: "/v1/transfers", idempotencyKey: key.idempotencyKey };
  requireSigned(key.blind, { ...request, digest: heldDigest(id, encrypted, note) }, signature);
  // Lists are in the order of the ids.
  await checkByClock(() => {
    const [made, now] = [new Date(idTime("transaction", id)), new Date()];
    if (!(Math.abs(made.getTime() - now.getTime()) > ID_SLACK_MS)) return;
    throw new ApiError("invalid_request", `The id is not of now.${clocksOf(made, now)}`, {
      param: "blind.held.transaction_id",
    });
  });
  const make = async (tx: Tx, ledger: PolicyRead | Error) => {
    const claiming = { payer, recipient: recipient.address, asset: asset.address, confidential };
    const details = await claimDetails(tx, ctx, claiming, asked);
    const now = new Date();
    await enforceUnseenPolicy(tx, { chainId, payer, asset, recipient, ledger }, now);
    const kind = confidential ? ("transfer" as const) : ("release" as const);
    const secretVersion = key.blind.secretVersion;
    const view = await recordHeld(
      tx,
      key,
      {
        id,
        agent: payer,
        to,
        recipientAddress: recipient.address,
        asset,
        kind,
        details,
        encrypted,
        secretVersion,
        knownBy: note,
      },
      now,
    );
    return { created: { outcome: "held" as const, held: view }, operations: [] };
  };
  const availableIds = [{ chainId, account: payer.address, asset: asset.address }];
  const policy = { read: () => tryReadPolicy(chainId, payer), turn: policyTurn(chainId, payer) };
  return inPaymentTransaction(ctx, { payer, details: [asked], availableIds, ...policy, make }, { beforeCommit });
}
