import type { Address } from "viem";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { sellerOf } from "@/lib/ledger/exact/seller-binding";
import { formatAmount } from "@/lib/money";
import type { SealedTransfer } from "@/sdk/api/api-types";
import { openHeldPayment, type SealedHeldText } from "@/sdk/approvals/held";
import type { Context } from "@/sdk/context/context";
import { TransferOpener } from "@/sdk/transfers/transfer-opener";

export interface HeldInput {
  /** Once it is paid its text is empty, and `transfer_id` names the payment. */
  held: SealedHeldText & { transfer_id?: string };
  /** Address of the agent that asked. */
  agent: Address;
}

/** What an agent asked for. All null: the text can't be decrypted, so its agent did not write it so. */
export interface OpenedHeld {
  /** Decimal string. */
  amount: string | null;
  /** Null also where there is none. */
  memo: string | null;
  /** Whom the recipient's name stood for when the agent asked; of a payment to an `exact` seller the seller. */
  recipient: Address | null;
}

/** What an approved payment came to, from its transfer. */
async function paid(context: Context, id: string): Promise<OpenedHeld> {
  const [session, opener] = await Promise.all([context.session(), TransferOpener.of(context)]);
  const transfer = await session.get<SealedTransfer>(`/api/transfers/${encodeURIComponent(id)}`);
  // A seller that was paid through a one-time address is named by its own.
  const recipient = transfer.to.startsWith("0x") ? (transfer.to.toLowerCase() as Address) : transfer.recipient;
  return { ...(await opener.content(transfer)), recipient };
}

/**
 * Decrypts what an agent asked for over its threshold, from the encrypted text alone; what was paid of it, from the
 * transfer.
 */
export async function held(context: Context, { held: entry, agent }: HeldInput): Promise<OpenedHeld> {
  if (entry.sealed === "0x" && entry.transfer_id) return paid(context, entry.transfer_id);
  try {
    const text = await openHeldPayment(context, entry, agent);
    const { amount, memo = null } = text;
    const { decimals } = await context.asset(entry.asset);
    return { amount: formatAmount(amount, decimals), memo, recipient: sellerOf(text) ?? text.to };
  } catch (thrown) {
    if (thrown instanceof UnsealFailed) return { amount: null, memo: null, recipient: null };
    throw thrown;
  }
}
