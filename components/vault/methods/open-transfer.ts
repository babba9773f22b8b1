import type { Context } from "@/sdk/context";
import { type SealedParts, type TransferContent, TransferOpener } from "@/sdk/open-transfer";

/** Opens amount and memo of one listed transfer. */
export async function openTransfer(context: Context, input: SealedParts): Promise<TransferContent> {
  return (await TransferOpener.of(context)).content(input);
}
