import { expect, test } from "vitest";
import type { ScheduleList } from "@/sdk/api/resources/schedules";
import { allDue } from "./all-due";

test("payments that are due are counted however many pages they are on", async () => {
  const ids = Array.from({ length: 250 }, (_, at) => `sched_${at}`);
  const read = async ({ limit, starting_after }: { limit: string; starting_after: string | undefined }) => {
    const from = starting_after === undefined ? 0 : ids.indexOf(starting_after) + 1;
    const page = ids.slice(from, from + Number(limit));
    const has_more = from + page.length < ids.length;
    return { schedules: page.map((schedule_id) => ({ schedule_id })), has_more } as ScheduleList;
  };
  expect((await allDue(read)).map(({ schedule_id }) => schedule_id)).toEqual(ids);
  expect(await allDue(async () => ({ schedules: [], has_more: false, limit: 100 }))).toEqual([]);
});
