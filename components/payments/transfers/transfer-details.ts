import type { TransferHistory, TransferWithCopies } from "@/lib/payments/transfer-resource";
import { withCopies } from "@/sdk/payments/transfers/with-copies";

/** A transfer with its history, as `GET /v1/transfers/{transfer_id}?include=history` returns it. */
export interface TransferWithHistory extends TransferWithCopies {
  history: TransferHistory;
}

/** A transfer with its copies and its history beside its other fields. */
export type TransferDetailsResource = ReturnType<typeof detailsOf>;

/** Returns the form in which pages show a transfer with its history. */
export function detailsOf({ history, ...transfer }: TransferWithHistory) {
  return { ...withCopies(transfer), ...history };
}
