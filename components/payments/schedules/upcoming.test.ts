import { expect, test } from "vitest";
import type { Schedule } from "@/sdk/api/resources/schedules";
import { upcomingOf } from "./upcoming";

const schedule = (id: string, at: string | null) =>
  ({ schedule_id: id, next_run: at && { due_at: at } }) as unknown as Schedule;

test("what is next is the soonest five, without schedules that pay nothing more", () => {
  const days = [4, 1, 6, 2, 5, 3].map((day) => schedule(`sch_${day}`, `2026-12-0${day}T09:00:00Z`));
  const next = upcomingOf([schedule("sch_paused", null), ...days]);
  expect(next.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((day) => `sch_${day}`));
});
