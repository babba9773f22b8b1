import { route } from "@/lib/http/route";
import { endSchedule } from "@/lib/payments/schedules/end-schedule";
import { getSchedule } from "@/lib/payments/schedules/list-schedules";
import { putSchedule } from "@/lib/payments/schedules/put-schedule";
import { toSchedule } from "@/lib/payments/schedules/schedule-resource";
import { PutScheduleInput } from "@/lib/payments/schedules/schema";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getSchedule(ctx, params.schedule_id ?? ""),
  serialize: (view) => toSchedule(view, "encrypted"),
});

export const PUT = route({
  auth: "session",
  bodyLimit: { kib: 128, values: 500 },
  body: PutScheduleInput,
  handle: ({ ctx, params, body }) => putSchedule(ctx, params.schedule_id ?? "", body),
  serialize: (view) => toSchedule(view, "encrypted"),
});

export const DELETE = route({
  auth: "session",
  handle: ({ ctx, params }) => endSchedule(ctx, params.schedule_id ?? ""),
  status: 204,
  serialize: () => null,
});
