import { CalendarClock } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { type ListPageProps, textOf } from "@/components/lists/search-params";
import { allDue } from "@/components/payments/schedules/all-due";
import { ScheduleList } from "@/components/payments/schedules/schedule-list";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listSchedules } from "@/lib/payments/schedules/list-schedules";
import { toScheduleList } from "@/lib/payments/schedules/schedule-resource";
import { ListSchedulesQuery } from "@/lib/payments/schedules/schema";

export const metadata: Metadata = { title: "Schedules" };

const PAGE_SIZE = "100";

/** The account's schedules. */
export default async function SchedulesPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const asked = { limit: PAGE_SIZE, starting_after: textOf(await searchParams, "starting_after") };
  const query = ListSchedulesQuery.safeParse(asked).success ? asked : { limit: PAGE_SIZE, starting_after: undefined };
  const list = toScheduleList(await listSchedules(ctx, ListSchedulesQuery.parse(query)));
  const due = await allDue(async (page) => toScheduleList(await listSchedules(ctx, ListSchedulesQuery.parse(page))));
  const path = `/${network}/schedules`;
  const none = list.schedules.length === 0 && query.starting_after === undefined;
  const create = (
    <Link href={`${path}/new`} className={buttonClass("primary")}>
      New schedule
    </Link>
  );
  return (
    <>
      <PageHeader
        title="Schedules"
        description="Payments at set times. Halcyon notifies you when one is due; one of your clients that holds a key pays it."
        action={none ? undefined : create}
      />
      {none ? (
        <Card flush>
          <div className="-mt-4">
            <EmptyState icon={<CalendarClock size={20} />} title="No schedules yet" action={create}>
              Rent, salaries, or allowances for your agents. Recipients, times and amounts are encrypted in this
              browser.
            </EmptyState>
          </div>
        </Card>
      ) : (
        <ScheduleList path={path} query={query} initial={list} due={due} />
      )}
    </>
  );
}
