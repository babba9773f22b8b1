import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { decodeReceipt, encodeReceipt, type Receipt } from "@/lib/ledger/receipt";
import type { TransferWithCopies } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { checkReceipt, type VerifiedReceipt } from "./check-receipt";
import { readTransferCopies } from "./encrypted-transfers";
import { type EncryptedParts, TransferDecrypter } from "./transfer-opener";

/** A receipt, and the link to the page that checks it. The part after `#` is never sent to a server. */
export interface MadeReceipt {
  /** `hcr1_…` */
  receipt: string;
  url: string;
}

/** The fields of a listed transfer that are needed to create a receipt. */
export type ReceiptSource = EncryptedParts & Pick<TransferWithCopies, "status">;

function requirePayment({ kind, status }: ReceiptSource): void {
  const refuse = (message: string) => new HalcyonError("invalid_request", message);
  if (kind === "release") {
    throw refuse("This payment is public: its transaction shows the amount to anyone, without a receipt.");
  }
  if (kind === "fund") {
    throw refuse("Money moved between an account and its agent makes no note to prove it with.");
  }
  if (status !== "confirmed") throw refuse("A receipt can be made once the payment is final.");
}

/**
 * Creates a receipt of a listed transfer: anyone who has it can prove this payment's amount, and no other. Verifies the
 * receipt on chain before returning it.
 */
export async function receiptOf(context: Context, entry: ReceiptSource): Promise<MadeReceipt> {
  requirePayment(entry);
  const [info, chain, opener] = await Promise.all([context.info(), context.chain(), TransferDecrypter.of(context)]);
  const opened = await opener.note(entry);
  if (!opened) throw new HalcyonError("unavailable", "Your keys can't decrypt the amount of this transfer.");
  const receipt: Receipt = {
    chainId: info.chainId,
    ledger: lowerCase(info.ledger),
    txHash: entry.tx_hash,
    payer: lowerCase(entry.account),
    recipient: lowerCase(entry.recipient),
    asset: lowerCase(opened.asset.address),
    ...opened.opening,
  };
  await checkReceipt(receipt, info, chain);
  const text = encodeReceipt(receipt);
  return { receipt: text, url: `${context.http.baseUrl}/receipt#${text}` };
}

/** Creates a receipt. Implements `receipts.create`. */
export async function receipt(context: Context, transferId: string): Promise<MadeReceipt> {
  return receiptOf(context, await readTransferCopies(context, transferId));
}

/** Checks a receipt against the chain. Implements `receipts.verify`. */
export async function verifyReceipt(context: Context, text: string): Promise<VerifiedReceipt> {
  const [info, chain] = await Promise.all([context.info(), context.chain()]);
  return checkReceipt(decodeReceipt(text), info, chain);
}
