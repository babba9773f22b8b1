import type { Context } from "@/sdk/context";
import { type MadeReceipt, type ReceiptSource, receiptOf } from "@/sdk/receipt";

/** Makes a receipt of a listed transfer, checked with the chain. */
export function makeReceipt(context: Context, input: ReceiptSource): Promise<MadeReceipt> {
  return receiptOf(context, input);
}
