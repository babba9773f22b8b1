import { NO_STEP, type Purpose } from "@/lib/payments/purpose";
import { lockRefunded } from "./lock-refunded";

/** A refund. It is found by the payment that it gives back, so nothing else is written or followed. */
export const refund: Purpose = {
  column: "refundOf",
  claimed: "after balances",
  named: (details) => details.refund?.transferId,
  async claim(tx, { chainId }, { refund }) {
    if (refund) await lockRefunded(tx, chainId, refund);
  },
  record: NO_STEP,
  settle: NO_STEP,
  reopen: NO_STEP,
};
