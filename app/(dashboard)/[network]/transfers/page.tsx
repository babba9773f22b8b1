import { ArrowLeftRight } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { FilterBar, type FilterTabs } from "@/components/lists/filter-bar";
import { NothingMatches } from "@/components/lists/nothing-matches";
import { problemOf } from "@/components/lists/problem-of";
import { type ListPageProps, offsetOf, textOf } from "@/components/lists/search-params";
import { DatePresets } from "@/components/payments/transfers/date-presets";
import { ExportButton } from "@/components/payments/transfers/export-button";
import {
  pageSizeOf,
  readTransferFilters,
  TRANSFER_STATUSES,
  transferFilterFields,
  transfersQuery,
} from "@/components/payments/transfers/filters";
import { TransferList } from "@/components/payments/transfers/transfer-list";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { listAgents } from "@/lib/agents/list-agents";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { countOwnTransfers } from "@/lib/payments/count-own-transfers";
import { listOwnTransfers } from "@/lib/payments/list-own-transfers";
import { ListTransfersQuery } from "@/lib/payments/schema";
import { toEncryptedList } from "@/lib/payments/transfer-resource";

export const metadata: Metadata = { title: "Transfers" };

const NAMES = { pending: "Pending", confirmed: "Confirmed", failed: "Failed" };
const TABS: FilterTabs = {
  name: "status",
  label: "Status",
  every: "All",
  choices: TRANSFER_STATUSES.map((value) => ({ value, name: NAMES[value] })),
};

/** Returns a page of the list and how many there are on all of them, or what is wrong with the filters. */
async function list(ctx: SessionContext, query: Record<string, string | undefined>) {
  const parsed = ListTransfersQuery.safeParse(query);
  if (!parsed.success) return { problem: problemOf(parsed.error) };
  try {
    const [page, total] = await Promise.all([listOwnTransfers(ctx, parsed.data), countOwnTransfers(ctx, parsed.data)]);
    return { response: toEncryptedList(page), total };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.publicMessage };
    throw error;
  }
}

function NoTransfers({ network }: { network: string }) {
  return (
    <EmptyState
      icon={<ArrowLeftRight size={20} />}
      title="No transfers yet"
      action={
        <>
          <Link href={`/${network}?do=send`} className={buttonClass("primary")}>
            Send a payment
          </Link>
          <Link href="/docs" className={buttonClass()}>
            Pay with the API
          </Link>
        </>
      }
    >
      Payments that you, your API keys and your agents make are listed here, and payments you receive. Amounts are
      encrypted until you unlock them in this browser.
    </EmptyState>
  );
}

/** The transfers of the account and its agents. */
export default async function TransfersPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const filters = readTransferFilters(search);
  const offset = offsetOf(search);
  const rows = pageSizeOf(search);
  const page = { limit: String(rows), offset: String(offset), include: "encrypted" };
  const query = { ...transfersQuery(filters), ...page };
  const [{ response, total, problem }, agents, keys] = await Promise.all([
    list(ctx, query),
    listAgents(ctx),
    listKeys(ctx),
  ]);

  const path = `/${network}/transfers`;
  const agentChoices = agents.map(({ id, handle }) => ({ value: id, name: `@${handle}` }));
  const keyChoices = keys.map(({ id, label, lastFour }) => ({ value: id, name: `${label} …${lastFour}` }));
  const none = !response || response.transfers.length === 0;
  const filtered = Object.keys(filters).length > 0 || offset > 0;
  return (
    <>
      <PageHeader
        title="Transfers"
        description="Everything the account and its agents have sent and received on this network."
        action={
          <>
            <Link href={`/${network}/statements`} className={buttonClass()}>
              Statements
            </Link>
            {!none && <ExportButton query={transfersQuery(filters)} />}
          </>
        }
      />
      <Card flush>
        {(!none || filtered) && (
          <div className="-mt-4">
            <FilterBar
              path={path}
              fields={transferFilterFields(agentChoices, keyChoices)}
              filters={{ ...filters }}
              tabs={TABS}
              problem={problem}
            />
            {none && (
              <div className="border-line border-t px-4 py-2 sm:px-5">
                <DatePresets path={path} filters={filters} />
              </div>
            )}
          </div>
        )}
        {none ? (
          <div className={filtered ? "border-line border-t" : "-mt-4"}>
            {filtered ? (
              <NothingMatches one="transfer" many="transfers" path={path} problem={problem} />
            ) : (
              <NoTransfers network={network} />
            )}
          </div>
        ) : (
          <TransferList
            path={path}
            query={query}
            linkQuery={{ ...filters, rows: textOf(search, "rows") && String(rows) }}
            total={total}
            sumQuery={transfersQuery(filters)}
            initial={response}
          />
        )}
      </Card>
    </>
  );
}
