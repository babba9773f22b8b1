import type { Tx } from "@/db/client";
import { exactPayments } from "@/db/schema/exact-payments";
import type { ExactSignatures, ExactTerms } from "@/lib/ledger/exact/authorizations";

/** A payment through a one-time address, with both of its verified authorizations. */
export type ExactToRecord = ExactTerms & ExactSignatures;

/** What is stored about a payment to an `exact` seller besides its transfer. Contains no amount and no key. */
export type ExactRow = typeof exactPayments.$inferSelect;

/** Records a payment's authorizations in its transaction. */
export async function recordExact(
  tx: Tx,
  { id, chainId }: { id: string; chainId: number },
  { seller, returnTo, validBefore, signature, returnSignature }: ExactToRecord,
): Promise<ExactRow> {
  const row: ExactRow = {
    transferId: id,
    chainId,
    seller,
    returnTo,
    validBefore: new Date(Number(validBefore) * 1000),
    signature,
    returnSignature,
    status: "open",
    returnOperationId: null,
  };
  await tx.insert(exactPayments).values(row);
  return row;
}
