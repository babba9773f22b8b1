import type { Schedule, ScheduleList } from "@/sdk/api/resources/schedules";

const PAGE_SIZE = "100";

/** The query of one page of schedules of which a payment is due. */
interface DueQuery {
  due: "true";
  limit: string;
  starting_after: string | undefined;
}

/** Reads all schedules of which a payment is due, page by page. */
export async function allDue(read: (query: DueQuery) => Promise<ScheduleList>): Promise<Schedule[]> {
  const all: Schedule[] = [];
  for (;;) {
    const page = await read({ due: "true", limit: PAGE_SIZE, starting_after: all.at(-1)?.schedule_id });
    all.push(...page.schedules);
    if (!page.has_more || page.schedules.length === 0) return all;
  }
}
