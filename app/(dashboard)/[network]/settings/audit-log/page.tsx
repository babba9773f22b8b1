import { ScrollText, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { owner } from "@/app/(dashboard)/owner";
import { type ActiveFilter, ActiveFilters } from "@/components/lists/active-filters";
import { hrefOf, offsetOf, type SearchParams } from "@/components/lists/search-params";
import { AuditFilterForm } from "@/components/settings/audit-filter-form";
import { type AuditFilters, listQuery, readFilters } from "@/components/settings/audit-filters";
import { AuditLog } from "@/components/settings/audit-log";
import { ACTORS, type ActorType, actionWords } from "@/components/settings/audit-wording";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkTabs } from "@/components/ui/link-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { toAuditList } from "@/lib/audit/audit-resource";
import { listAuditEntries } from "@/lib/audit/list-entries";
import { ListAuditQuery } from "@/lib/audit/schema";

export const metadata: Metadata = { title: "Audit log" };

const TABS: Record<ActorType, string> = { session: "You", key: "API keys", agent: "Agents", system: "Halcyon" };
const NONE = { entries: [], limit: 20, offset: 0, has_more: false };

function activeOf(path: string, filters: AuditFilters): ActiveFilter[] {
  const words: Record<string, string | undefined> = {
    action: filters.action && actionWords(filters.action),
    target: `Target ${filters.target}`,
    from: `From ${filters.from}`,
    to: `Until ${filters.to}`,
  };
  return Object.keys(words)
    .filter((name) => filters[name as keyof AuditFilters])
    .map((name) => ({ words: words[name] ?? "", href: hrefOf(path, { ...filters, [name]: undefined }) }));
}

function Nothing({ path, filtered, problem }: { path: string; filtered: boolean; problem?: string }) {
  if (!filtered) {
    return (
      <EmptyState icon={<ScrollText size={18} />} title="Nothing has been done yet">
        Sign-ins, keys, agents, policies, approvals, webhooks and settings: whatever is changed in this account is
        written here, with who did it and from where.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<SearchX size={18} />}
      title="No entry matches these filters"
      action={
        <Link href={path} scroll={false} className={buttonClass()}>
          Show all entries
        </Link>
      }
    >
      {problem ?? "Take a filter away, or widen the dates. Days are counted in UTC."}
    </EmptyState>
  );
}

/** What was done to the account, by whom, from where; its chain of hashes is checked in the browser. */
export default async function AuditLogPage({
  params,
  searchParams,
}: {
  params: Promise<{ network: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const filters = readFilters(search);
  const offset = offsetOf(search);
  const query = listQuery(filters, offset);
  const parsed = ListAuditQuery.safeParse(query);
  const answer = parsed.success ? toAuditList(await listAuditEntries(ctx, parsed.data)) : NONE;
  const problem = parsed.success ? undefined : parsed.error.issues[0]?.message;

  const path = `/${network}/settings/audit-log`;
  const { actor, ...narrowed } = filters;
  const filtered = Object.keys(filters).length > 0;
  const untouched = answer.entries.length === 0 && !filtered && offset === 0;
  const tabs = [undefined, ...(Object.keys(ACTORS) as ActorType[])].map((value) => ({
    name: value ? TABS[value] : "Everybody",
    href: hrefOf(path, { ...narrowed, actor: value }),
    current: actor === value,
  }));
  return (
    <>
      <PageHeader
        title="Audit log"
        description="What was done to your account, its keys and its agents: by whom, from where, and how it was before."
      />
      <AuditLog
        key={hrefOf(path, query)}
        path={path}
        place={{ accountId: ctx.account.id, chainId: ctx.chainId }}
        session={ctx.sessionId}
        query={query}
        linkQuery={{ ...filters }}
        initial={answer}
        filtered={filtered}
      >
        {!untouched && (
          <div className="relative border-line border-t">
            <div className="px-3 py-2.5 sm:px-4 sm:pr-28">
              <LinkTabs label="Who" tabs={tabs} />
            </div>
            <AuditFilterForm path={path} filters={filters} problem={problem} />
            <ActiveFilters filters={activeOf(path, filters)} clearHref={hrefOf(path, { actor })} />
          </div>
        )}
        {answer.entries.length === 0 && (
          <div className="border-line border-t">
            <Nothing path={path} filtered={filtered || offset > 0} problem={problem} />
          </div>
        )}
      </AuditLog>
    </>
  );
}
