import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { isOwnMove } from "@/lib/payments/find-payer";
import { findReceiver, type Receiver } from "@/lib/payments/find-receiver";
import type { SchedulePayment } from "@/lib/policy/calendar/terms";

type Named = Pick<SchedulePayment, "to">;

/**
 * Returns the recipients, in the order of the payments. Several payments share one proof, which can't move money
 * between an account and its own agents; a schedule with a single payment can.
 *
 * @throws the errors of findReceiver, naming the payment
 */
export async function findRunReceivers(ctx: Context, payments: readonly Named[]): Promise<Receiver[]> {
  return Promise.all(payments.map(({ to }, index) => findOne(ctx, to, index, payments.length > 1)));
}

async function findOne({ chainId, account }: Context, to: string, index: number, isBatch: boolean): Promise<Receiver> {
  const param = `payments.${index}.to`;
  try {
    const receiver = await findReceiver(chainId, account, to, true);
    if (!isBatch || !isOwnMove(account, receiver.recipient)) return receiver;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, error.publicMessage, { param, retryAfter: error.retryAfter });
  }
  const message = "Give your agent a schedule of its own: its money does not move together with other payments.";
  throw new ApiError("invalid_request", message, { param });
}

/** Returns the payments as they are encrypted, with the account that each name stands for now. */
export async function resolvePayments(
  ctx: Context,
  payments: readonly { to: string; amount: string; memo?: string | undefined }[],
): Promise<SchedulePayment[]> {
  const receivers = await findRunReceivers(ctx, payments);
  return payments.map(({ to, amount, memo }, index) => {
    const address = receivers[index]?.recipient.address;
    if (!address) throw new Error("a payment has no recipient");
    return { to, address, amount, ...(memo !== undefined && { memo }) };
  });
}
