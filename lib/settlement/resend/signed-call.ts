import { asc, eq } from "drizzle-orm";
import {
  type Address,
  isAddressEqual,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
import { db } from "@/db/client";
import { type operations, outgoingTransactions } from "@/db/schema/chain";
import { reportTampering } from "@/lib/base/telemetry/report-tampering";
import type { Call } from "@/lib/chain/sign-transaction";

type Operation = Pick<typeof operations.$inferSelect, "id" | "target" | "data" | "value" | "gas">;

/**
 * Returns the call of an operation that a relayer is to sign again, but only if that relayer has signed the same call
 * for it before. The row alone is not enough: anyone who can write rows could otherwise spend the relayers' ether.
 * Returns null, and raises an alarm, if the row says something else.
 */
export async function signedCall(operation: Operation, relayer: Address): Promise<Call | null> {
  const { id, target, data, value, gas } = operation;
  const [first] = await db()
    .select({ raw: outgoingTransactions.raw })
    .from(outgoingTransactions)
    .where(eq(outgoingTransactions.operationId, id))
    .orderBy(asc(outgoingTransactions.id))
    .limit(1);
  const isSigned = first && (await says(first.raw as TransactionSerialized, { target, data, value, gas }));
  if (isSigned && isAddressEqual(isSigned, relayer)) return { target, data, value, gas };
  reportTampering("operation", { operation: id });
  return null;
}

/**
 * Returns the signer of a signed transaction that makes this call; null if it makes another call or can't be parsed.
 */
async function says(raw: TransactionSerialized, call: Call) {
  try {
    const { to, data = "0x", value = 0n, gas } = parseTransaction(raw);
    const same =
      to && isAddressEqual(to, call.target) && data === call.data && value === call.value && gas === call.gas;
    return same ? await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` }) : null;
  } catch {
    return null;
  }
}
