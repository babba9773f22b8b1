import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { ScheduleDetail } from "@/components/payments/schedules/schedule-detail";
import { ApiError } from "@/lib/base/errors";
import { getSchedule, listRuns } from "@/lib/payments/schedules/list-schedules";
import { toRunList, toSchedule } from "@/lib/payments/schedules/schedule-resource";

export const metadata: Metadata = { title: "Schedule" };

/** One schedule with its runs. */
export default async function SchedulePage({ params }: { params: Promise<{ network: string; id: string }> }) {
  const { network, id } = await params;
  const ctx = await owner(network);
  const found = await Promise.all([getSchedule(ctx, id), listRuns(ctx, id, { limit: 20 })]).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  });
  const [view, runs] = found;
  return <ScheduleDetail path={`/${network}/schedules`} initial={toSchedule(view)} initialRuns={toRunList(runs)} />;
}
