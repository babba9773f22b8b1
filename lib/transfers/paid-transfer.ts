import type { ExactRow } from "@/lib/transfers/exact/record-exact";
import type { HeldView } from "@/lib/transfers/held/hold";
import type { TransferView } from "./transfer-view";

/** What became of a payment: made, or held until the agent's owner decides. */
export type CreatedTransfer =
  /** `exact`: what a seller of that scheme may take. `isRepeated`: by an earlier request with the same key, whose kept response a restored backup lacks. */
  | { outcome: "paid"; transfer: TransferView; exact?: ExactRow; isRepeated?: true }
  | { outcome: "held"; held: HeldView };

/** The transfer of a payment that cannot have been held: prepared, approved, or of an account without a policy. */
export function paidTransfer(created: CreatedTransfer): TransferView {
  if (created.outcome === "paid") return created.transfer;
  throw new Error("this payment was held");
}
