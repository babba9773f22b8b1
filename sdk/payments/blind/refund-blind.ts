import { type Address, type Hex, isAddressEqual } from "viem";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { decodeLedgerLog, type LedgerLog } from "@/lib/ledger/ledger-events";
import { HalcyonError } from "../../api/errors";
import { getOnly } from "../../api/require-same-id";
import type { Transfer } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import type { Posted } from "../attempts/posted";
import type { PaymentAwaitingApproval } from "../attempts/transfer-status";
import { destinationOf, requireFinal } from "../refunds/destination-of";
import type { RefundBody } from "../refunds/refund-by-key";
import { bindingOf } from "../refunds/refunds-on-chain";
import type { SendCall } from "../send";
import { withCopies } from "../transfers/with-copies";
import { payBlind } from "./pay-blind";

/** Returns who paid a note, by the receipt of its transaction on the client's own node. */
async function payerOf(
  context: Context,
  { tx_hash, recipient, note }: { tx_hash: Hex; recipient: Address; note?: Hex | null | undefined },
): Promise<Address> {
  const { client, ledger } = await context.chain();
  const receipt = await client.getTransactionReceipt({ hash: tx_hash });
  for (const log of receipt.logs) {
    const event = isAddressEqual(log.address, ledger) ? decodeLedgerLog(log as unknown as LedgerLog) : null;
    if (event?.eventName !== "Transferred" && event?.eventName !== "Paid") continue;
    const { args } = event;
    if (note && args.note === hexToCommitment(note) && isAddressEqual(args.to, recipient)) return args.account;
  }
  throw new HalcyonError("unavailable", "Your node does not show the payment. Nothing is refunded.");
}

/**
 * Builds a refund with a home key, for the service to sign. It goes to the account that paid by the client's own node,
 * or to its owner, and is bound to the payment that it gives back.
 *
 * @throws HalcyonError `key_forbidden` for a payment that an agent received; those of `destinationOf`
 */
export async function postRefundBlind(
  context: Context,
  { refund_of, asset, amount = "", from, memo, reference, refunds_counted }: RefundBody,
  idempotencyKey: string,
): Promise<{ held: PaymentAwaitingApproval } | { posted: Posted<Transfer>; payment: SendCall }> {
  if (from !== undefined) {
    throw new HalcyonError("key_forbidden", "An agent received this. Refund it with a blind key of the agent.");
  }
  const found = await getOnly<Transfer>(context, "transfers", "transfer_id", refund_of, { include: "history" });
  requireFinal(found);
  const [scope, { address }] = await Promise.all([context.scope(), context.asset(asset)]);
  const entry = withCopies(found);
  const to = await destinationOf(context, Promise.resolve(found), await payerOf(context, entry));
  const binding = toHex(bindingOf(scope, address, entry));
  const payment = { to: to.toLowerCase(), amount, asset, binding, memo, reference, idempotencyKey };
  const posted = await payBlind(context, payment, { refund_of, refunds_counted });
  return "held" in posted ? posted : { posted, payment };
}
