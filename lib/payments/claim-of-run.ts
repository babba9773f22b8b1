import type { Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { claimRun } from "@/lib/payments/schedules/runs/claim-run";
import type { PaymentHooks } from "./server-signed-payment";

/**
 * Returns the hook that claims the run which a client-signed payment pays, before any available balance is locked. A
 * missed run may be paid too, because the owner's client asks for it.
 *
 * @throws ApiError `invalid_request` for a payment from an agent: schedules pay from their account
 */
export function claimOfRun(ctx: Context, payer: ContextAccount, runId: string | undefined): PaymentHooks["first"] {
  if (runId === undefined) return undefined;
  if (payer.id !== ctx.account.id || payer.type === "agent") {
    throw new ApiError("invalid_request", "A schedule pays from its own account.", { param: "schedule_run" });
  }
  return async (tx) => {
    await claimRun(tx, ctx, runId, { late: true });
  };
}
