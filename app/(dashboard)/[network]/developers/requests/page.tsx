import { SquareTerminal } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { FilteredList } from "@/components/lists/filtered-list";
import { OlderPages } from "@/components/lists/older-pages";
import { type ListPageProps, textOf } from "@/components/lists/search-params";
import { buttonClass } from "@/components/ui/button";
import { Count } from "@/components/ui/count";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { readRequestFilters, requestFields } from "@/components/webhooks/requests/filters";
import { LoadNewest } from "@/components/webhooks/requests/load-newest";
import { RequestTable } from "@/components/webhooks/requests/request-table";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { listRequests } from "@/lib/accounts/request-log/list-requests";
import { toRequestList } from "@/lib/accounts/request-log/request-resource";
import { REQUEST_LOG_DAYS, REQUEST_LOG_ROWS } from "@/lib/base/request-log-limits";

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
      Each request that your programs and agents make with an API key is listed here within seconds, for{" "}
      {REQUEST_LOG_DAYS} days.
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
  const after = textOf(search, "starting_after");
  const query = { ...filters, limit: PAGE_SIZE, offset: 0, starting_after: after };
  const { requests, has_more } = toRequestList(await listRequests(ctx, query));
  const path = `/${network}/developers/requests`;
  return (
    <>
      <PageHeader
        title="Request log"
        description={
          <>
            API requests of the last {REQUEST_LOG_DAYS} days, at most the newest <Count value={REQUEST_LOG_ROWS} />. No
            query, no body and no amount is kept.
          </>
        }
        action={<LoadNewest />}
      />
      <FilteredList
        path={path}
        fields={requestFields(keys)}
        filters={{ ...filters }}
        one="request"
        many="requests"
        none={requests.length === 0}
        further={after !== undefined}
        empty={<NoRequests network={network} />}
      >
        <RequestTable requests={requests} />
        <OlderPages
          path={path}
          filters={{ ...filters }}
          isNewest={after === undefined}
          last={has_more ? requests.at(-1)?.request_id : undefined}
        />
      </FilteredList>
    </>
  );
}
