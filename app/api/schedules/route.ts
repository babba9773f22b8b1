import { route } from "@/lib/http/route";
import { listSchedules } from "@/lib/payments/schedules/list-schedules";
import { toScheduleList } from "@/lib/payments/schedules/schedule-resource";
import { OwnSchedulesQuery } from "@/lib/payments/schedules/schema";

export const GET = route({
  auth: "session",
  query: OwnSchedulesQuery,
  handle: ({ ctx, query }) => listSchedules(ctx, query, { stale: query.stale === "true", due: query.due === "true" }),
  serialize: (page) => toScheduleList(page, "encrypted"),
});
