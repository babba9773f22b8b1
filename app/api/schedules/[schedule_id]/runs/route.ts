import { route } from "@/lib/http/route";
import { recordPlan } from "@/lib/payments/schedules/plan-schedule";
import { toSchedule } from "@/lib/payments/schedules/schedule-resource";
import { PlanRunsInput } from "@/lib/payments/schedules/schema";

export const POST = route({
  auth: "session",
  body: PlanRunsInput,
  handle: ({ ctx, params, body }) => recordPlan(ctx, params.schedule_id ?? "", body),
  serialize: (view) => toSchedule(view, "encrypted"),
});
