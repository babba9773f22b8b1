import { ScrollText } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { FilterBar, type FilterTabs } from "@/components/lists/filter-bar";
import { NothingMatches } from "@/components/lists/nothing-matches";
import { problemOf } from "@/components/lists/problem-of";
import { hrefOf, type ListPageProps, offsetOf } from "@/components/lists/search-params";
import { AUDIT_FIELDS, auditQuery, readAuditFilters } from "@/components/settings/audit-filters";
import { AuditLog } from "@/components/settings/audit-log";
import type { ActorType } from "@/components/settings/audit-wording";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { toAuditList } from "@/lib/events/audit/audit-resource";
import { listAuditEntries } from "@/lib/events/audit/list-entries";
import { ListAuditQuery } from "@/lib/events/audit/schema";

export const metadata: Metadata = { title: "Audit log" };

const NAMES: Record<ActorType, string> = { session: "You", key: "API keys", agent: "Agents", system: "Halcyon" };
const TABS: FilterTabs = {
  name: "actor",
  label: "Who",
  every: "Everyone",
  choices: Object.entries(NAMES).map(([value, name]) => ({ value, name })),
};
const NONE = { entries: [], limit: 20, offset: 0, has_more: false, kept_from: 1 };

/** What was done to the account, by whom and from where. The browser checks the hash chain. */
export default async function AuditLogPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const filters = readAuditFilters(search);
  const offset = offsetOf(search);
  const query = auditQuery(filters, offset);
  const parsed = ListAuditQuery.safeParse(query);
  const response = parsed.success ? toAuditList(await listAuditEntries(ctx, parsed.data)) : NONE;
  const problem = parsed.success ? undefined : problemOf(parsed.error);

  const path = `/${network}/settings/audit-log`;
  const none = response.entries.length === 0;
  const filtered = Object.keys(filters).length > 0;
  const narrowed = filtered || offset > 0;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="What was done to your account, its keys and its agents: by whom, from where, and what changed."
      />
      <AuditLog
        key={hrefOf(path, query)}
        path={path}
        chain={{ accountId: ctx.account.id, chainId: ctx.chainId }}
        session={ctx.sessionId}
        query={query}
        linkQuery={{ ...filters }}
        initial={response}
        filtered={filtered || query.sign_ins !== undefined}
      >
        {(!none || narrowed) && (
          <div className="border-line border-t">
            <FilterBar path={path} fields={AUDIT_FIELDS} filters={{ ...filters }} tabs={TABS} problem={problem} />
          </div>
        )}
        {none && (
          <div className="border-line border-t">
            {narrowed ? (
              <NothingMatches one="entry" many="entries" path={path} problem={problem} />
            ) : (
              <EmptyState icon={<ScrollText size={18} />} title="No entries yet">
                Sign-ins, keys, agents, policies, approvals, webhooks and settings: every change to this account is
                recorded here, with who made it and from where.
              </EmptyState>
            )}
          </div>
        )}
      </AuditLog>
    </>
  );
}
