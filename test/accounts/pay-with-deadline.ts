import type { KeyContext } from "@/lib/base/context/context";
import { readPayment } from "@/lib/payments/create-transfer";
import { findPayer } from "@/lib/payments/find-payer";
import type { CreatedTransfer } from "@/lib/payments/paid-transfer";
import { payServerSigned } from "@/lib/payments/pay-server-signed";
import type { CreateTransferInput } from "@/lib/payments/schema";

/**
 * Makes a server-signed payment that the ledger accepts for this many seconds only. Callers of the API can't choose
 * that.
 */
export async function payWithDeadline(
  by: KeyContext,
  input: CreateTransferInput,
  deadlineSeconds: number,
): Promise<CreatedTransfer> {
  const payer = await findPayer(by, input.from);
  return payServerSigned(by, { ...(await readPayment(by, payer, input)), deadlineSeconds });
}
