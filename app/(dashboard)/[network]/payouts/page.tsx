import { Send } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { FilterBar, type FilterTabs } from "@/components/lists/filter-bar";
import { NothingMatches } from "@/components/lists/nothing-matches";
import type { ListPageProps } from "@/components/lists/search-params";
import { PayoutList } from "@/components/payments/payouts/payout-list";
import { PAYOUT_STATUS } from "@/components/payments/payouts/wording";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listPayouts } from "@/lib/payments/payouts/list-payouts";
import { toPayoutList } from "@/lib/payments/payouts/payout-resource";
import { ListPayoutsQuery } from "@/lib/payments/payouts/schema";

export const metadata: Metadata = { title: "Payouts" };

const PAGE_SIZE = "20";
const TABS: FilterTabs = {
  name: "status",
  label: "Status",
  every: "All",
  choices: (["processing", "paused", "finished", "cancelled"] as const).map((value) => {
    return { value, name: PAYOUT_STATUS[value].name };
  }),
};

const one = (value: string | string[] | undefined) => (typeof value === "string" && value !== "" ? value : undefined);

/** The account's payouts. */
export default async function PayoutsPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const asked = { limit: PAGE_SIZE, status: one(search.status), starting_after: one(search.starting_after) };
  const isKnown = ListPayoutsQuery.safeParse(asked).success;
  const query = isKnown ? asked : { limit: PAGE_SIZE, status: undefined, starting_after: undefined };
  const response = toPayoutList(await listPayouts(ctx, ListPayoutsQuery.parse(query)));
  const path = `/${network}/payouts`;
  const none = response.payouts.length === 0;
  const filtered = query.status !== undefined || query.starting_after !== undefined;
  const create = (
    <Link href={`${path}/new`} className={buttonClass("primary")}>
      New payout
    </Link>
  );
  return (
    <>
      <PageHeader
        title="Payouts"
        description="Many payments from one file: checked first, approved once, and never paid twice."
        action={none && !filtered ? undefined : create}
      />
      <Card flush>
        {(!none || filtered) && (
          <div className="-mt-4">
            <FilterBar path={path} fields={[]} filters={{ status: query.status }} tabs={TABS} />
          </div>
        )}
        {none ? (
          <div className={filtered ? "border-line border-t" : "-mt-4"}>
            {filtered ? (
              <NothingMatches one="payout" many="payouts" path={path} />
            ) : (
              <EmptyState icon={<Send size={20} />} title="No payouts yet" action={create}>
                Pay up to 5,000 people from a CSV or JSON file. Every row is checked before any money moves, and the
                amounts stay encrypted.
              </EmptyState>
            )}
          </div>
        ) : (
          <PayoutList path={path} query={query} status={query.status} initial={response} />
        )}
      </Card>
    </>
  );
}
