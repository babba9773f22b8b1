import { CalendarClock } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { ScheduleList } from "@/components/schedules/schedule-list";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listSchedules } from "@/lib/schedules/list-schedules";
import { toScheduleList } from "@/lib/schedules/schedule-resource";

export const metadata: Metadata = { title: "Schedules" };

/** The account's schedules. */
export default async function SchedulesPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const ctx = await owner(network);
  const list = toScheduleList(await listSchedules(ctx, { limit: 100 }), "encrypted");
  const path = `/${network}/schedules`;
  const none = list.schedules.length === 0;
  const create = (
    <Link href={`${path}/new`} className={buttonClass("primary")}>
      New schedule
    </Link>
  );
  return (
    <>
      <PageHeader
        title="Schedules"
        description="Payments at set times. Halcyon says when one is due; a client of yours that holds a key pays it."
        action={none ? undefined : create}
      />
      {none ? (
        <Card flush>
          <div className="-mt-4">
            <EmptyState icon={<CalendarClock size={20} />} title="No schedules yet" action={create}>
              Rent, salaries, allowances of your agents. Whom, when and how much is encrypted in this browser.
            </EmptyState>
          </div>
        </Card>
      ) : (
        <ScheduleList path={path} initial={list} />
      )}
    </>
  );
}
