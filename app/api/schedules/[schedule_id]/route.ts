import { route } from "@/lib/http/route";
import { putSchedule } from "@/lib/payments/schedules/put-schedule";
import { toSchedule } from "@/lib/payments/schedules/schedule-resource";
import { PutScheduleInput } from "@/lib/payments/schedules/schema";

export const PUT = route({
  auth: "session",
  bodyLimit: { kib: 128, values: 500 },
  body: PutScheduleInput,
  handle: ({ ctx, params, body }) => putSchedule(ctx, params.schedule_id ?? "", body),
  serialize: (view) => toSchedule(view, "encrypted"),
});
