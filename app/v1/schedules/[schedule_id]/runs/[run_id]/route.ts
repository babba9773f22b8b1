import { route } from "@/lib/http/route";
import { getRun } from "@/lib/payments/schedules/get-run";
import { RunDetails, toRunDetails } from "@/lib/payments/schedules/schedule-resource";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  scheduleKeys: "allowed",
  docs: {
    operationId: "getScheduleRun",
    tag: "Schedules",
    summary: "Get a run",
    description: "Returns a run of a schedule, with the transfers that pay it.",
    errors: ["not_found"],
  },
  handle: ({ ctx, params }) => getRun(ctx, params.schedule_id ?? "", params.run_id ?? ""),
  responses: { 200: RunDetails },
  serialize: toRunDetails,
});
