import type { Hex } from "viem";
import { sellerOf } from "@/lib/ledger/exact/seller-binding";
import type { HeldPaymentWithText, TransferWithCopies } from "../../api/api-types";
import type { CallOptions } from "../../api/call-options";
import { HalcyonError } from "../../api/errors";
import { requireSameId } from "../../api/require-same-id";
import type { DecidedPayment, HeldPaymentDetails } from "../../api/resources/approvals";
import { toHalcyonError } from "../../api/to-halcyon-error";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";
import { attemptPayment } from "../attempt-payment";
import type { AttemptOptions } from "../attempts/attempt-options";
import { OutcomeUnknown } from "../attempts/outcome-unknown";
import type { Posted } from "../attempts/posted";
import { caughtUp, settledOnChain } from "../attempts/settle";
import { readTransfer, settled } from "../attempts/transfer-status";
import { approveBlind } from "../blind/approve-blind";
import { payerParty } from "../payment-plan";
import { resolveRecipient } from "../recipient";
import { approveByKey } from "./approve-by-key";
import { decryptHeldText, notAsked, notItsOwn, notShown } from "./decrypt-held";
import { exactSigner } from "./exact-signer";
import { withText } from "./with-text";

/**
 * Options for approving a payment. `idempotencyKey` is only for an API key: with the wallet, the payment's id is the
 * key.
 */
export interface ApproveOptions extends Omit<AttemptOptions, "idempotencyKey">, CallOptions {
  /** `false` returns once the service has accepted the payment, not when it is final on chain. */
  wait?: boolean | undefined;
  /** The encrypted text that was shown to the person who approves. Any other text is refused. */
  ciphertext?: Hex | undefined;
}

/** Returns a payment awaiting approval that can still be approved. */
async function findHeld(context: Context, id: string): Promise<HeldPaymentWithText> {
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}` as const;
  const query = { include: "encrypted" };
  const asked = callApi<HeldPaymentDetails>(context, "GET", path, { query, by: "session" });
  const held = withText(await requireSameId("transaction_id", id, asked));
  if (held.status === "pending_approval") return held;
  if (held.status === "expired") {
    throw new HalcyonError("transaction_expired", "The approval window of this payment has run out.");
  }
  throw new HalcyonError("transaction_not_found", `This payment was ${held.status} already.`);
}

/**
 * Builds exactly what the agent asked for, from the agent's newest available balance, with the request's tag and
 * binding, signed by the owner's payment key. If a key of an account under its own policy asked for the payment, the
 * wallet signs it.
 */
export async function approveClientSigned(
  context: Context,
  id: string,
  { ciphertext, pending, onPending }: ApproveOptions,
): Promise<Posted<DecidedPayment> & { entry: DecidedPayment }> {
  const entry = await findHeld(context, id).catch(async (error: unknown) => {
    // The service's view of the approval doesn't decide the outcome of a payment that was already sent.
    throw pending ? new OutcomeUnknown(pending, toHalcyonError(error)) : error;
  });
  if (ciphertext !== undefined && entry.ciphertext !== ciphertext) throw notShown();
  const [payer, asset] = await Promise.all([payerParty(context, entry.agent), context.asset(entry.asset)]);
  const text = await decryptHeldText(context, entry, payer.address).catch(notAsked);
  const seller = sellerOf(text);
  if (seller !== (entry.seller?.toLowerCase() ?? null)) throw notItsOwn();
  if (seller) await resolveRecipient(context, payer.address, entry.to, { meant: seller });
  const signed = seller && (await exactSigner(context, payer.address, seller, asset, text));
  // The recipient that a person saw has to be the one in the encrypted text. A one-time address has no name; its seller
  // was compared above.
  const named = seller === null ? entry.to : text.to;
  const to = await resolveRecipient(context, payer.address, named, { meant: text.to });
  const { amount: units, kind, memo, seed, tag } = text;
  const binding = seller ? undefined : text.binding;
  const session = await context.session();
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}/approve`;
  const payment = { to, asset, units, kind, memo, binding, seller, counted: true };
  const decided = (transfer: TransferWithCopies | null): DecidedPayment | null => {
    if (!transfer) return null;
    const { transfer_id, tx_hash, created_at: decided_at } = transfer;
    return {
      transaction_id: id,
      status: "approved",
      agent: entry.agent,
      to: entry.to,
      transfer_id,
      tx_hash,
      decided_at,
    };
  };
  // The id is the key: any earlier approval used the same seed, which was stored with the request.
  const options = { idempotencyKey: id, pending, onPending };
  const posted = await attemptPayment<DecidedPayment>(
    context,
    { id, payer, asset, payment, seed, tag, held: id },
    options,
    async (document, lockToken) =>
      session.post<DecidedPayment>(path, {
        client_signed: document,
        ...(lockToken && { lock_token: lockToken }),
        ...(signed && { exact: await signed() }),
      }),
    decided,
  );
  const { agent, to: asked } = entry;
  const now = new Date().toISOString();
  const confidential = kind !== "release";
  return {
    ...posted,
    entry: { transaction_id: id, status: "approved", agent, to: asked, confidential, decided_at: now },
  };
}

/** Approves a payment awaiting approval. Implements `approvals.approve`. */
export async function approve(context: Context, id: string, options: ApproveOptions = {}): Promise<DecidedPayment> {
  if (!context.hasWallet && context.homeKey === undefined) {
    const decided = await approveByKey(context, id, options);
    if (!decided.transfer_id || options.wait === false) return decided;
    return {
      ...decided,
      tx_hash: (await settled(context, { ...decided, transfer_id: decided.transfer_id, status: "pending" })).tx_hash,
    };
  }
  const { response, seen, pending, entry } = await (context.hasWallet ? approveClientSigned : approveBlind)(
    context,
    id,
    options,
  );
  if (options.wait === false && response) return response;
  if (options.wait === false && !seen) throw new OutcomeUnknown(pending);
  const { tx_hash } = options.wait === false && seen ? seen : await settledOnChain(context, pending);
  const transferId = response?.transfer_id;
  const by = context.hasWallet ? "session" : "key";
  if (transferId) await caughtUp(context, () => readTransfer(context, transferId, by));
  // Who was paid and for whom was checked before. The response adds only ids and the time.
  const { decided_at = entry.decided_at } = response ?? {};
  return { ...entry, ...(transferId && { transfer_id: transferId }), tx_hash, decided_at };
}
