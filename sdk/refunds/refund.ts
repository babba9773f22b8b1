import { type Address, isAddressEqual, zeroAddress } from "viem";
import { paymentSeed } from "@/lib/ledger/crypto/seed";
import { parseAmount } from "@/lib/money";
import { partyAt, tagOf } from "../account/party";
import type { SealedTransfer } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { Transfer } from "../api/resources/transfers";
import { otherPayment } from "../attempts/earlier-attempt";
import { orResponseLost } from "../attempts/or-response-lost";
import { OutcomeUnknown } from "../attempts/outcome-unknown";
import type { Posted } from "../attempts/posted";
import { caughtUp, settledOnChain } from "../attempts/settle";
import { type PaymentAwaitingApproval, readTransfer, type SettledTransfer, settled } from "../attempts/transfer-status";
import type { Context } from "../context/context";
import { attemptPayment } from "../payments/attempt-payment";
import { kindOf } from "../payments/payment";
import { resolveRecipient } from "../payments/recipient";
import { OnChain } from "../transfers/on-chain";
import { fromOf, postRefund, type Refund, type RefundBody, type RefundCall, refundByKey } from "./refund-by-key";
import { bindingOf, type Refunded, readRefunded } from "./refundable";

/** How often others' refunds may come between counting and paying. */
const MOST_CONFLICTS = 3;

/** The amount of a refund that fits in what is left. */
function amountOf({ refundable, leftUnits, earlier }: Refunded, amount: string | undefined, decimals: 6 | 9): string {
  // A repeated call: its refund is there, and is compared with what is asked for instead of with what is left.
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
  throw new HalcyonError("refund_not_possible", "That is more than what is left to refund of this payment.", {
    param: "amount",
  });
}

/** Counts, compares, and has the service sign and send the refund; counts again when another one came in between. */
async function refundCounted(context: Context, id: string, input: RefundCall) {
  const key = input.idempotencyKey ?? crypto.randomUUID();
  for (let conflicts = 0; ; conflicts += 1) {
    const found = await readRefunded(context, id, key);
    const { entry, refundable } = found;
    const { decimals } = await context.asset(entry.asset);
    const amount = amountOf(found, input.amount, decimals);
    // Not asked for again: others' refunds since would make it another request for the service.
    if (found.earlier) return readTransfer(context, found.earlier.transfer.transfer_id, "key");
    const body: RefundBody = {
      refund_of: id,
      asset: entry.asset,
      amount,
      from: await fromOf(context, entry.recipient),
      memo: input.memo,
      reference: input.reference,
      refunds_counted: refundable.refunds_counted,
    };
    try {
      return await orResponseLost(key, postRefund(context, body, key));
    } catch (error) {
      if (!(error instanceof HalcyonError && error.code === "refund_conflict") || conflicts === MOST_CONFLICTS)
        throw error;
    }
  }
}

/** A received payment as the session reads it, with where its refunds go. */
type WithRefundTo = SealedTransfer & { refund_to: { address: Address; handle: string } | null };

/**
 * Where a refund goes: the account that the ledger shows as the payer, or its owner. The service chooses between these two
 * alone, as the owner of a paying agent has set it.
 *
 * @throws HalcyonError `unavailable` when the ledger does not show the payment, or the service names a third account
 */
async function destinationOf(context: Context, entry: SealedTransfer, asset: Address): Promise<Address> {
  const [chain, viewer, session] = await Promise.all([context.chain(), context.viewer(), context.session()]);
  if (!(await new OnChain(chain, viewer.account).shows(entry, asset))) {
    throw new HalcyonError(
      "unavailable",
      "The ledger does not show this payment, so nothing is refunded. Try again later.",
    );
  }
  const { refund_to: to } = await session.get<WithRefundTo>(`/api/transfers/${encodeURIComponent(entry.transfer_id)}`);
  if (!to) throw new HalcyonError("refund_not_possible", "The service says that this payment can't be refunded.");
  if (isAddressEqual(to.address, entry.account)) return to.address;
  const { owner } = await chain.account(entry.account);
  if (!isAddressEqual(owner, zeroAddress) && isAddressEqual(to.address, owner)) return to.address;
  throw new HalcyonError(
    "unavailable",
    "The service names another account than the one that paid. Nothing is refunded.",
  );
}

/** Builds, proves and signs a refund here and has the service relay it. */
export async function refundPrepared(
  context: Context,
  id: string,
  input: RefundCall,
): Promise<Posted<Transfer | PaymentAwaitingApproval>> {
  const key = input.idempotencyKey ?? input.pending?.id ?? crypto.randomUUID();
  const found = await readRefunded(context, id, key);
  const { entry, refundable } = found;
  const asset = await context.asset(entry.asset);
  const units = parseAmount(amountOf(found, input.amount, asset.decimals), asset.decimals);
  const [payer, address] = await Promise.all([
    partyAt(context, entry.recipient),
    destinationOf(context, entry, asset.address),
  ]);
  const to = await resolveRecipient(context, payer.address, address);
  const kind = kindOf(context, payer, to);
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
    refunds_counted: refundable.refunds_counted,
    asset: asset.symbol,
    ...(input.reference !== undefined && { reference: input.reference }),
  };
  const session = await context.session();
  return attemptPayment<Transfer | PaymentAwaitingApproval>(
    context,
    { id: key, payer, asset, payment, ...marks },
    input,
    (prepared, lease_token) =>
      session.post<Transfer>("/api/transfers", { ...body, prepared, lease_token }, payer.query),
    (listed) => listed,
  );
}

async function settleRefund(context: Context, id: string, input: RefundCall): Promise<SettledTransfer> {
  const { response, seen, pending } = await refundPrepared(context, id, input);
  const accepted = response && !("transaction_id" in response) ? response : null;
  const named = (tx: { tx_hash: `0x${string}` }, status: SettledTransfer["status"]): SettledTransfer => ({
    transfer_id: accepted?.transfer_id ?? null,
    status,
    to: accepted?.to ?? pending.to ?? "",
    confidential: true,
    tx_hash: tx.tx_hash,
    created_at: accepted?.created_at ?? null,
  });
  if (input.wait === false) {
    if (accepted) return named(accepted, accepted.status);
    if (seen) return named(seen, seen.final ? "confirmed" : "pending");
    throw new OutcomeUnknown(pending);
  }
  const shown = await settledOnChain(context, pending);
  if (accepted) await caughtUp(context, () => readTransfer(context, accepted.transfer_id, "session"));
  return named(shown, "confirmed");
}

/** Gives a received payment back, all or in part: what `transfers.refund` does. */
export async function refund(context: Context, id: string, input: RefundCall): Promise<Refund> {
  const reads = context.hasWallet || context.isViewOnly;
  if (context.hasWallet && (input.prepared || !context.hasApiKey)) {
    return { ...(await settleRefund(context, id, input)), refund_of: id, checked: true };
  }
  const created = await (reads ? refundCounted(context, id, input) : refundByKey(context, id, input));
  const done = "transaction_id" in created || input.wait === false ? created : await settled(context, created);
  return { ...done, refund_of: id, checked: reads && !("transaction_id" in created) };
}
