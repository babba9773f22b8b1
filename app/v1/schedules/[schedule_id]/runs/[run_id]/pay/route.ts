import { route } from "@/lib/http/route";
import { payRun } from "@/lib/payments/schedules/pay-run";
import { RunDetails, toRunDetails } from "@/lib/payments/schedules/schedule-resource";
import { PayRunInput } from "@/lib/payments/schedules/schema";

export const POST = route({
  auth: "key",
  scope: "pay",
  scheduleKeys: "allowed",
  opens: "secret",
  idempotent: true,
  docs: {
    operationId: "payScheduleRun",
    tag: "Schedules",
    summary: "Pay a run",
    description:
      "Decrypts the schedule with your key while the request is open, and pays the run: all of its payments or none. However many clients pay a run, it is paid once. A run that is paid or being paid is returned as it is. A missed run is paid only with `late: true`.",
    errors: [
      "insufficient_balance",
      "kyc_required",
      "policy_violation",
      "key_forbidden",
      "not_found",
      "recipient_not_found",
      "run_not_payable",
      "schedule_changed",
      "policy_not_in_force",
      "sync_required",
      "recipient_not_confidential_ready",
    ],
  },
  body: PayRunInput,
  handle: ({ ctx, params, body, beforeCommit }) =>
    payRun(ctx, params.schedule_id ?? "", params.run_id ?? "", body, beforeCommit),
  responses: { 200: RunDetails },
  serialize: toRunDetails,
});
