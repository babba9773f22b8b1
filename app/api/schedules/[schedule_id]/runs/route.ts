import { route } from "@/lib/http/route";
import { listRuns } from "@/lib/payments/schedules/list-schedules";
import { recordPlan } from "@/lib/payments/schedules/plan-schedule";
import { toRunList, toSchedule } from "@/lib/payments/schedules/schedule-resource";
import { ListRunsQuery, PlanRunsInput } from "@/lib/payments/schedules/schema";

export const GET = route({
  auth: "session",
  query: ListRunsQuery,
  handle: ({ ctx, params, query }) => listRuns(ctx, params.schedule_id ?? "", query),
  serialize: toRunList,
});

export const POST = route({
  auth: "session",
  body: PlanRunsInput,
  handle: ({ ctx, params, body }) => recordPlan(ctx, params.schedule_id ?? "", body),
  serialize: (view) => toSchedule(view, "encrypted"),
});
