import { ArrowLeftRight, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { owner } from "@/app/(dashboard)/owner";
import { ActiveFilters } from "@/components/transfers/active-filters";
import { ExportButton } from "@/components/transfers/export-button";
import { FilterForm } from "@/components/transfers/filter-form";
import {
  listHref,
  listQuery,
  PAGE_SIZE,
  readFilters,
  readOffset,
  type SearchParams,
  STATUSES,
  type TransferFilters,
} from "@/components/transfers/filters";
import { TransferList } from "@/components/transfers/transfer-list";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkTabs } from "@/components/ui/link-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { listAgents } from "@/lib/agents/list-agents";
import type { SessionContext } from "@/lib/auth/context";
import { ApiError } from "@/lib/errors";
import { listKeys } from "@/lib/keys/list-keys";
import { listOwnTransfers } from "@/lib/transfers/list-own-transfers";
import { ListOwnTransfersQuery } from "@/lib/transfers/schema";
import { toOwnerTransferList } from "@/lib/transfers/transfer-resource";

export const metadata: Metadata = { title: "Transfers" };

interface PageProps {
  params: Promise<{ network: string }>;
  searchParams: Promise<SearchParams>;
}

const NAMES = { pending: "Pending", confirmed: "Confirmed", failed: "Failed" };

/** The page of the list, or what the filters ask in vain. */
async function list(ctx: SessionContext, query: Record<string, string | undefined>) {
  const { agent, ...asked } = query;
  const parsed = ListOwnTransfersQuery.safeParse(asked);
  if (!parsed.success) return { problem: parsed.error.issues[0]?.message ?? "" };
  try {
    const acting = agent === undefined ? ctx : { ...ctx, account: await findOwnAgent(ctx, agent) };
    return { answer: toOwnerTransferList(await listOwnTransfers(acting, parsed.data)) };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.publicMessage };
    throw error;
  }
}

function NoTransfers({
  network,
  filters,
  path,
  problem = "Take a filter away, or widen the dates. Days are counted in UTC.",
}: {
  network: string;
  filters: TransferFilters;
  path: string;
  problem?: string;
}) {
  if (Object.keys(filters).length > 0) {
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="No transfer matches these filters"
        action={
          <Link href={path} className={buttonClass()}>
            Show all transfers
          </Link>
        }
      >
        {problem}
      </EmptyState>
    );
  }
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
      What you, your API keys and your agents pay is listed here, and what others pay to you. The amounts are sealed
      until you unlock them in this browser.
    </EmptyState>
  );
}

/** The transfers of the account and its agents. */
export default async function TransfersPage({ params, searchParams }: PageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const filters = readFilters(search);
  const offset = readOffset(search);
  const query = { ...listQuery(filters), limit: String(PAGE_SIZE), offset: String(offset) };
  const [{ answer, problem }, agents, keys] = await Promise.all([list(ctx, query), listAgents(ctx), listKeys(ctx)]);

  const path = `/${network}/transfers`;
  const agentChoices = agents.map(({ id, handle }) => ({ value: id, name: `@${handle}` }));
  const keyChoices = keys.map(({ id, label, lastFour }) => ({ value: id, name: `${label} …${lastFour}` }));
  const { status, ...narrowed } = filters;
  const none = !answer || answer.transfers.length === 0;
  const untouched = none && Object.keys(filters).length === 0 && offset === 0;
  const tabs = [undefined, ...STATUSES].map((value) => ({
    name: value ? NAMES[value] : "All",
    href: listHref(path, { ...narrowed, status: value }),
    current: status === value,
  }));
  return (
    <>
      <PageHeader
        title="Transfers"
        description="Everything the account and its agents have sent and received on this network."
        action={none ? undefined : <ExportButton query={listQuery(filters)} />}
      />
      <Card flush>
        {!untouched && (
          <div className="relative -mt-4">
            <div className="px-3 py-2.5 sm:px-4">
              <LinkTabs label="Status" tabs={tabs} />
            </div>
            <FilterForm
              path={path}
              filters={filters}
              agents={agentChoices}
              keys={keyChoices}
              problem={filters.counterparty && problem}
              open={problem !== undefined}
            />
            <ActiveFilters path={path} filters={filters} agents={agentChoices} keys={keyChoices} />
          </div>
        )}
        {none ? (
          <div className={untouched ? "-mt-4" : "border-line border-t"}>
            <NoTransfers network={network} filters={filters} path={path} problem={problem} />
          </div>
        ) : (
          <TransferList path={path} query={query} linkQuery={{ ...filters }} initial={answer} />
        )}
      </Card>
    </>
  );
}
