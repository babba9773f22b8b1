import type { KeyContext } from "@/lib/context/context";
import { readPayment } from "@/lib/transfers/create-transfer";
import { findPayer } from "@/lib/transfers/find-payer";
import type { CreatedTransfer } from "@/lib/transfers/paid-transfer";
import { payServerSigned } from "@/lib/transfers/pay-server-signed";
import type { CreateTransferInput } from "@/lib/transfers/schema";

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
