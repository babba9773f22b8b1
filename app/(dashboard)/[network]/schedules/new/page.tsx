import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { CreateSchedule } from "@/components/payments/schedules/create-schedule";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { assetsOf } from "@/lib/base/assets";

export const metadata: Metadata = { title: "New schedule" };

/** Creates a schedule. */
export default async function NewSchedulePage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const { chainId } = await owner(network);
  const path = `/${network}/schedules`;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  return (
    <>
      <PageHeader
        back={<BackLink href={path}>Schedules</BackLink>}
        title="New schedule"
        description="Paid from your available balance, by you or one of your programs, once per date."
      />
      <div className="max-w-3xl">
        <CreateSchedule path={path} assets={assetsOf(chainId).map(({ symbol }) => symbol)} today={tomorrow} />
      </div>
    </>
  );
}
