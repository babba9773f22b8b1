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
import type { Call } from "@/lib/chain/sign-transaction";
import { reportTampering } from "@/lib/telemetry/report-tampering";

type Operation = Pick<typeof operations.$inferSelect, "id" | "target" | "data" | "value" | "gas">;

/**
 * The call of an operation that is to be signed once more by a relayer: only what it has signed for it before. Rows
 * alone sign nothing: anyone who could write them would send the relayers' ether wherever they like. Null, and an
 * alarm, when the row says something else.
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

/** Who signed bytes that make this call; null when they make another, or are no signed transaction. */
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
