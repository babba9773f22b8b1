import { route } from "@/lib/http/route";
import { listRuns } from "@/lib/schedules/list-schedules";
import { recordPlan } from "@/lib/schedules/plan-schedule";
import { toRunList, toSchedule } from "@/lib/schedules/schedule-resource";
import { ListRunsQuery, PlanRunsInput } from "@/lib/schedules/schema";

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
