import { route } from "@/lib/http/route";
import { listRuns } from "@/lib/payments/schedules/list-schedules";
import { planSchedule } from "@/lib/payments/schedules/plan-schedule";
import { RunList, ScheduleResource, toRunList, toSchedule } from "@/lib/payments/schedules/schedule-resource";
import { GetScheduleQuery, ListRunsQuery, PlanRunsInput } from "@/lib/payments/schedules/schema";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  scheduleKeys: "allowed",
  docs: {
    operationId: "listScheduleRuns",
    tag: "Schedules",
    summary: "List the runs of a schedule",
    description:
      "Returns the runs of a schedule, the latest date first. Of the dates ahead the service knows the next.",
    errors: ["not_found"],
  },
  query: ListRunsQuery,
  handle: ({ ctx, params, query }) => listRuns(ctx, params.schedule_id ?? "", query),
  responses: { 200: RunList },
  serialize: toRunList,
});

export const POST = route({
  auth: ["key", "session"],
  scope: "pay",
  scheduleKeys: "allowed",
  opens: "secret",
  idempotent: true,
  docs: {
    operationId: "planScheduleRuns",
    tag: "Schedules",
    summary: "Plan the next run",
    description:
      "Records the schedule's next date, which the service can't know by itself: it decrypts the schedule with your key, or your client does and sends `plan`. Dates that passed unseen are due, or missed if their window is over. Paying a run does this too.",
    errors: ["key_forbidden", "not_found", "schedule_changed", "sync_required"],
  },
  body: PlanRunsInput,
  query: GetScheduleQuery,
  responses: { 200: ScheduleResource },
  handle: async ({ ctx, params, body, query: { include }, beforeCommit }) => {
    const keep: typeof beforeCommit = (tx, view) => beforeCommit(tx, { view, include });
    return { view: await planSchedule(ctx, params.schedule_id ?? "", body, keep), include };
  },
  serialize: ({ view, include }) => toSchedule(view, include),
});
