import type { Context } from "@/sdk/context";
import { type FoundRecipient, findRecipient } from "@/sdk/recipient";

/** Whom a payment to this handle or address would reach. */
export function recipient(context: Context, { to }: { to: string }): Promise<FoundRecipient> {
  return findRecipient(context, to);
}
