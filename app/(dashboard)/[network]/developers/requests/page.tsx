import { SquareTerminal } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { FilterBar } from "@/components/lists/filter-bar";
import { NothingMatches } from "@/components/lists/nothing-matches";
import { type ListPageProps, offsetOf } from "@/components/lists/search-params";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Pagination } from "@/components/ui/pagination";
import { readRequestFilters, requestFields } from "@/components/webhooks/requests/filters";
import { LoadNewest } from "@/components/webhooks/requests/load-newest";
import { RequestTable } from "@/components/webhooks/requests/request-table";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { MAX_OFFSET } from "@/lib/base/paging";
import { KEPT_DAYS } from "@/lib/http/request-log/kept-days";
import { listRequests } from "@/lib/http/request-log/list-requests";

export const metadata: Metadata = { title: "Request log" };

const PAGE_SIZE = 50;

function NoRequests({ network }: { network: string }) {
  return (
    <EmptyState
      icon={<SquareTerminal size={20} />}
      title="No requests yet"
      action={
        <Link href={`/${network}/developers/keys?do=create`} className={buttonClass("primary")}>
          Create an API key
        </Link>
      }
    >
      Each request that your programs and agents make with an API key is listed here within seconds, for {KEPT_DAYS}{" "}
      days.
    </EmptyState>
  );
}

/** The requests of the account's and its agents' keys in the last days. */
export default async function RequestLogPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const keys = (await listKeys(ctx)).map(({ id, label }) => ({ value: id, name: label }));
  const filters = readRequestFilters(search, keys);
  const offset = Math.min(offsetOf(search), MAX_OFFSET);
  const { requests, limit, hasMore } = await listRequests(ctx, { ...filters, limit: PAGE_SIZE, offset });
  const path = `/${network}/developers/requests`;
  const filtered = Object.keys(filters).length > 0 || offset > 0;
  const none = requests.length === 0;
  return (
    <>
      <PageHeader
        title="Request log"
        description={`Each API request of the last ${KEPT_DAYS} days, with the key that made it. It keeps no query, no body and no amount.`}
        action={<LoadNewest />}
      />
      <Card flush>
        {(!none || filtered) && (
          <div className="-mt-4">
            <FilterBar path={path} fields={requestFields(keys)} filters={{ ...filters }}>
              <div className="flex h-13 items-center px-4 font-medium text-[15px] max-sm:hidden sm:px-5">
                <h2>Newest first</h2>
              </div>
            </FilterBar>
          </div>
        )}
        {none ? (
          <div className={filtered ? "border-line border-t" : "-mt-4"}>
            {filtered ? <NothingMatches one="request" many="requests" path={path} /> : <NoRequests network={network} />}
          </div>
        ) : (
          <>
            <RequestTable requests={requests} />
            <Pagination
              path={path}
              query={{ ...filters }}
              limit={limit}
              offset={offset}
              hasMore={hasMore}
              count={requests.length}
            />
          </>
        )}
      </Card>
    </>
  );
}
