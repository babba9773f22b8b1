import { parseAmount } from "@/lib/base/money";
import { paymentSeed } from "@/lib/ledger/crypto/payment-seed";
import { partyAt, tagOf } from "../../account/party";
import { HalcyonError } from "../../api/errors";
import type { Transfer } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import { attemptPayment } from "../attempt-payment";
import { otherPayment } from "../attempts/earlier-attempt";
import { orResponseLost } from "../attempts/or-response-lost";
import { OutcomeUnknown } from "../attempts/outcome-unknown";
import type { Posted } from "../attempts/posted";
import { caughtUp, settledOnChain } from "../attempts/settle";
import {
  ownTransfer,
  type PaymentAwaitingApproval,
  readTransfer,
  type SettledTransfer,
  settled,
} from "../attempts/transfer-status";
import { listedOf } from "../blind/pay-blind";
import { postRefundBlind } from "../blind/refund-blind";
import { paymentKind } from "../payment";
import { resolveRecipient } from "../recipient";
import { settlePosted } from "../send";
import { readHistory } from "../transfers/encrypted-transfers";
import { destinationOf } from "./destination-of";
import { fromOf, postRefund, type Refund, type RefundBody, type RefundCall, refundByKey } from "./refund-by-key";
import { type Refunded, readRefunded, tooMuch } from "./refundable";
import { bindingOf } from "./refunds-on-chain";

/** How often to retry when another refund was made between counting and paying. */
const MOST_CONFLICTS = 3;

/** Returns the amount of a refund, which must not exceed what is left. */
function amountOf({ refundable, leftUnits, earlier }: Refunded, amount: string | undefined, decimals: 6 | 9): string {
  // A repeated call: its refund already exists, so compare it with the input instead of with what is left.
  if (earlier) {
    if (amount === undefined || parseAmount(amount, decimals) === parseAmount(earlier.amount, decimals)) {
      return earlier.amount;
    }
    throw otherPayment();
  }
  if (leftUnits === 0n) {
    throw new HalcyonError("refund_not_possible", "This payment was refunded in full already.", { param: "amount" });
  }
  if (amount === undefined) return refundable.left;
  if (parseAmount(amount, decimals) <= leftUnits) return amount;
  throw tooMuch();
}

/**
 * Counts, compares, and has the service sign and send the refund. Counts again if another refund was made in between.
 */
async function refundCounted(context: Context, id: string, input: RefundCall, post: typeof postRefund) {
  const key = input.idempotencyKey ?? crypto.randomUUID();
  for (let conflicts = 0; ; conflicts += 1) {
    const found = await readRefunded(context, id, key);
    const { entry, earlier, listedOthers } = found;
    const { decimals } = await context.asset(entry.asset);
    const amount = amountOf(found, input.amount, decimals);
    // Don't repeat the request: with refunds made since, the service would see a different request under the same key.
    if (earlier?.transfer) return readTransfer(context, earlier.transfer.transfer_id, "key");
    const body: RefundBody = {
      refund_of: id,
      asset: entry.asset,
      amount,
      from: await fromOf(context, entry.recipient),
      memo: input.memo,
      reference: input.reference,
      refunds_counted: listedOthers,
    };
    try {
      return await orResponseLost(key, post(context, body, key));
    } catch (error) {
      if (!(error instanceof HalcyonError && error.code === "refund_conflict") || conflicts === MOST_CONFLICTS)
        throw error;
    }
  }
}

/** Builds, proves and signs a refund on this machine and has the service relay it. */
export async function refundClientSigned(
  context: Context,
  id: string,
  input: RefundCall,
): Promise<Posted<Transfer | PaymentAwaitingApproval> & { asset: string }> {
  const key = input.idempotencyKey ?? input.pending?.id ?? crypto.randomUUID();
  const found = await readRefunded(context, id, key);
  const { entry, listedOthers } = found;
  const asset = await context.asset(entry.asset);
  const units = parseAmount(amountOf(found, input.amount, asset.decimals), asset.decimals);
  const [payer, address] = await Promise.all([
    partyAt(context, entry.recipient),
    destinationOf(context, readHistory(context, entry.transfer_id), entry.account),
  ]);
  const to = await resolveRecipient(context, payer.address, address);
  const kind = paymentKind(context, payer, to);
  if (kind === "fund") {
    throw new HalcyonError(
      "refund_not_possible",
      "Money between an account and its own agent moves by a payment. Send it back.",
    );
  }
  const [{ seedKey }, scope] = await Promise.all([context.vault(), context.scope()]);
  const binding = bindingOf(scope, asset.address, entry);
  const payment = { to, asset, units, kind, memo: input.memo, binding, counted: true };
  const marks = { seed: paymentSeed(seedKey, scope, payer.address, key), tag: tagOf(scope, payer, key) };
  const body = {
    refund_of: id,
    refunds_counted: listedOthers,
    asset: asset.symbol,
    ...(input.reference !== undefined && { reference: input.reference }),
  };
  const session = await context.session();
  const posted = await attemptPayment<Transfer | PaymentAwaitingApproval>(
    context,
    { id: key, payer, asset, payment, ...marks, compare: () => found.compare(units) },
    input,
    (document, lock_token) =>
      session.post<Transfer>("/v1/transfers", { ...body, client_signed: document, lock_token }, payer.query),
    (listed) => listed,
  );
  return { ...posted, asset: asset.symbol };
}

async function settleRefund(context: Context, id: string, input: RefundCall): Promise<SettledTransfer> {
  const { response, seen, pending, asset } = await refundClientSigned(context, id, input);
  const accepted = response && !("transaction_id" in response) ? response : null;
  const named = (tx: { tx_hash: `0x${string}` }, isFinal: boolean, now?: Transfer | null): SettledTransfer => {
    const [status, to] = [isFinal ? ("confirmed" as const) : ("pending" as const), accepted?.to ?? pending.to ?? ""];
    const { reference = null } = input;
    const own = { status, to, asset, confidential: true, tx_hash: tx.tx_hash, reference, refund_of: id, checked: true };
    return ownTransfer(own, accepted, now);
  };
  if (input.wait === false) {
    if (accepted) return named(accepted, false);
    if (seen) return named(seen, seen.final);
    throw new OutcomeUnknown(pending);
  }
  const shown = await settledOnChain(context, pending);
  const now = accepted && (await caughtUp(context, () => readTransfer(context, accepted.transfer_id, "session")));
  return named(shown, true, now);
}

/** Refunds a received payment, all or in part. Implements `transfers.refund`. */
export async function refund(context: Context, id: string, input: RefundCall): Promise<Refund> {
  const reads = context.hasWallet || context.isViewOnly;
  if (context.hasWallet && (input.clientSigned || !context.hasApiKey)) {
    return { ...(await settleRefund(context, id, input)), refund_of: id, checked: true };
  }
  let settle: (accepted: Transfer) => Promise<SettledTransfer> = (accepted) => settled(context, accepted);
  const postBlind: typeof postRefund = async (...refund) => {
    const sent = await postRefundBlind(...refund);
    if ("held" in sent) return sent.held;
    // The payment names an address, and the service the handle that it has there.
    settle = async ({ to }) => ({ ...(await settlePosted(context, sent.payment, sent.posted)), to });
    return listedOf(context, sent.posted);
  };
  const post = context.homeKey === undefined ? postRefund : postBlind;
  const byKey = () => refundByKey(context, id, input, (_, body, key) => post(context, body, key));
  const created = await (reads ? refundCounted(context, id, input, post) : byKey());
  const done = "transaction_id" in created || input.wait === false ? created : await settle(created);
  return { ...done, refund_of: id, checked: reads && !("transaction_id" in created) };
}
