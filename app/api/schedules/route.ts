import { route } from "@/lib/http/route";
import { listSchedules } from "@/lib/schedules/list-schedules";
import { toScheduleList } from "@/lib/schedules/schedule-resource";
import { OwnSchedulesQuery } from "@/lib/schedules/schema";

export const GET = route({
  auth: "session",
  query: OwnSchedulesQuery,
  handle: ({ ctx, query }) => listSchedules(ctx, query, { stale: query.stale === "true", due: query.due === "true" }),
  serialize: (page) => toScheduleList(page, "encrypted"),
});
