import type { Tx } from "@/db/client";
import type { transfers } from "@/db/schema/transfers";
import { assetByAddress } from "@/lib/base/assets";
import type { ChainId } from "@/lib/base/network";
import { appendEvents, type EventSubject, type NewEvent } from "@/lib/events/append-events";

export type TransferRow = typeof transfers.$inferSelect;

/** The two sides of a transfer. A recipient without an account is known only by its address. */
interface TransferParties {
  payer: EventSubject;
  recipient?: EventSubject;
}

/**
 * Returns the recipient without an account: its address, or the `exact` seller that is paid through a one-time address.
 */
function otherSide({ to, recipientAddress }: TransferRow): string {
  return to.startsWith("0x") ? to.toLowerCase() : recipientAddress;
}

/** Writes a transfer's event for its payer and, as a separate receipt, for a recipient that has an account. */
export async function appendTransferEvents(
  tx: Tx,
  type: "transfer.initiated" | "transfer.confirmed" | "transfer.failed",
  list: readonly { row: TransferRow; parties: TransferParties }[],
  now: Date,
): Promise<void> {
  const events = list.flatMap(({ row, parties: { payer, recipient } }): NewEvent[] => {
    const chainId = row.chainId as ChainId;
    const common = {
      transfer_id: row.id,
      asset: assetByAddress(chainId, row.asset)?.symbol ?? row.asset,
      confidential: row.kind !== "release",
      tx_hash: row.txHash,
      ...(row.reference !== null && { reference: row.reference }),
      ...(row.refundOf !== null && { refund_of: row.refundOf }),
      ...(row.paymentRequestId !== null && { payment_request: row.paymentRequestId }),
    };
    const sent: NewEvent = {
      chainId,
      type,
      subject: payer,
      payload: {
        ...common,
        direction: "sent",
        counterparty: recipient ? `@${recipient.handle}` : otherSide(row),
      },
    };
    if (!recipient) return [sent];
    return [
      sent,
      {
        chainId,
        type,
        subject: recipient,
        payload: { ...common, direction: "received", counterparty: `@${payer.handle}` },
      },
    ];
  });
  await appendEvents(tx, events, now);
}
