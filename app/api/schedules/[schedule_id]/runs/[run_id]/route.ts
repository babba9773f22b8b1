import { route } from "@/lib/http/route";
import { getRun } from "@/lib/payments/schedules/get-run";
import { toRunDetails } from "@/lib/payments/schedules/schedule-resource";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getRun(ctx, params.schedule_id ?? "", params.run_id ?? ""),
  serialize: toRunDetails,
});
