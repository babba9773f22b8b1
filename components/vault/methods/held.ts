import type { Address } from "viem";
import { formatAmount } from "@/lib/base/money";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { sellerOf } from "@/lib/ledger/exact/seller-binding";
import type { Context } from "@/sdk/context/context";
import { decryptHeldText, type EncryptedHeldText } from "@/sdk/payments/approvals/decrypt-held";
import { readTransferCopies } from "@/sdk/payments/transfers/encrypted-transfers";
import { TransferDecrypter } from "@/sdk/payments/transfers/transfer-opener";

interface HeldInput {
  /** After the payment, its ciphertext is empty and `transfer_id` names the transfer. */
  held: EncryptedHeldText & { transfer_id?: string };
  /** Address of the agent that asked. */
  agent: Address;
}

/**
 * What an agent asked for. All null if the ciphertext can't be decrypted, which means that the agent did not write it.
 */
export interface DecryptedHeld {
  /** Decimal string. */
  amount: string | null;
  /** Also null if there is no memo. */
  memo: string | null;
  /**
   * The address the recipient's name stood for when the agent asked. For a payment to an `exact` seller, the seller.
   */
  recipient: Address | null;
}

/** Returns the content of an approved payment, from its transfer. */
async function paid(context: Context, id: string): Promise<DecryptedHeld> {
  const opener = await TransferDecrypter.of(context);
  const transfer = await readTransferCopies(context, id);
  // A payment through a one-time address names the seller's own address.
  const recipient = transfer.to.startsWith("0x") ? (transfer.to.toLowerCase() as Address) : transfer.recipient;
  return { ...(await opener.content(transfer)), recipient };
}

/**
 * Decrypts what an agent asked for above its threshold: from the ciphertext alone, or after the payment from the
 * transfer.
 */
export async function held(context: Context, { held: entry, agent }: HeldInput): Promise<DecryptedHeld> {
  if (entry.ciphertext === "0x" && entry.transfer_id) return paid(context, entry.transfer_id);
  try {
    const text = await decryptHeldText(context, entry, agent);
    const { amount, memo = null } = text;
    const { decimals } = await context.asset(entry.asset);
    return { amount: formatAmount(amount, decimals), memo, recipient: sellerOf(text) ?? text.to };
  } catch (thrown) {
    if (thrown instanceof DecryptionFailed) return { amount: null, memo: null, recipient: null };
    throw thrown;
  }
}
