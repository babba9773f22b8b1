import type { HeldView } from "@/lib/payments/approvals/hold";
import type { ExactRow } from "@/lib/payments/exact/record-exact";
import type { TransferView } from "./transfer-view";

/** The result of a payment: made, or held until the agent's owner decides. */
export type CreatedTransfer =
  /**
   * `exact`: what a seller of that scheme may take. `isRepeated`: paid by an earlier request with the same idempotency
   * key, whose stored response a restored backup lacks.
   */
  | { outcome: "paid"; transfer: TransferView; exact?: ExactRow; isRepeated?: true }
  | { outcome: "held"; held: HeldView };

/**
 * Returns the transfer of a payment that can't have been held: client-signed, approved, or of an account without a policy.
 */
export function paidTransfer(created: CreatedTransfer): TransferView {
  if (created.outcome === "paid") return created.transfer;
  throw new Error("this payment was held");
}
