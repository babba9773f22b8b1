import type { Context } from "@/lib/base/context/context";
import { ApiError, type ErrorCode } from "@/lib/base/errors";
import { findRowReceivers } from "./check-rows";
import { requireAccount } from "./find-payout";

/** The account that a name stands for, or why it can't be paid. */
export interface CheckedName {
  to: string;
  address: string | null;
  fault: { code: ErrorCode; message: string } | null;
}

/** Checks whether each name of a payout can be paid. Amounts stay on the client. */
export async function checkNames(ctx: Context, to: readonly string[]): Promise<CheckedName[]> {
  requireAccount(ctx);
  const found = await findRowReceivers(ctx, to);
  return [...new Set(to)].map((name) => {
    const receiver = found.get(name);
    if (receiver && !(receiver instanceof ApiError)) {
      return { to: name, address: receiver.recipient.address, fault: null };
    }
    const fault = receiver
      ? { code: receiver.code, message: receiver.publicMessage }
      : { code: "invalid_request" as const, message: "Name the recipient: an @handle or a 0x address." };
    return { to: name, address: null, fault };
  });
}
