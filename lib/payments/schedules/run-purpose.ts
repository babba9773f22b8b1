import { ApiError } from "@/lib/base/errors";
import { NO_STEP, type Purpose } from "@/lib/payments/purpose";
import { claimRun } from "./runs/claim-run";
import { followRuns, reopenRuns } from "./runs/follow-runs";

/** A run of a schedule. */
export const scheduleRun: Purpose = {
  column: "scheduleRunId",
  claimed: "before balances",
  named: (details) => details.scheduleRun?.id,
  async claim(tx, { chainId }, { scheduleRun: run }, payer) {
    if (!run) return;
    if (payer.type === "agent") {
      throw new ApiError("invalid_request", "A schedule pays from its own account.", { param: "schedule_run" });
    }
    await claimRun(tx, { chainId, account: payer }, run.id, run);
  },
  // The claim has set it to `paying`.
  record: NO_STEP,
  settle: followRuns,
  reopen: reopenRuns,
};
