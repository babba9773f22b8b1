import { route } from "@/lib/http/route";
import { skipDate } from "@/lib/payments/schedules/change-schedule";
import { toWritten, WrittenScheduleResource } from "@/lib/payments/schedules/schedule-resource";
import { SkipInput } from "@/lib/payments/schedules/schema";

export const POST = route({
  auth: "key",
  scope: "pay",
  opens: "secret",
  idempotent: true,
  docs: {
    operationId: "skipScheduleDate",
    tag: "Schedules",
    summary: "Skip a date",
    description: "Leaves out the next date, or one that is due and not paid.",
    errors: ["key_forbidden", "not_found", "schedule_changed", "sync_required"],
  },
  body: SkipInput,
  handle: ({ ctx, params, body, beforeCommit }) => skipDate(ctx, params.schedule_id ?? "", body, beforeCommit),
  responses: { 200: WrittenScheduleResource },
  serialize: toWritten,
});
