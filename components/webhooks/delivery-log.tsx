import { SearchX, Send } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { type ActiveFilter, ActiveFilters } from "@/components/lists/active-filters";
import type { Choice } from "@/components/lists/filter-frame";
import { hrefOf } from "@/components/lists/search-params";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkTabs } from "@/components/ui/link-tabs";
import { DeliveryFilterForm } from "./delivery-filter-form";
import { DeliveryList, type DeliveryListAnswer } from "./delivery-list";
import { type DeliveryFilters, listQuery, STATUSES } from "./filters";
import { STATUS_SHOWN } from "./wording";

function activeOf(path: string, filters: DeliveryFilters, webhooks: readonly Choice[] = []): ActiveFilter[] {
  const words: Record<string, string | undefined> = {
    webhook: `To ${webhooks.find(({ value }) => value === filters.webhook)?.name ?? filters.webhook}`,
    event: filters.event,
    event_id: filters.event_id,
    from: `From ${filters.from}`,
    to: `Until ${filters.to}`,
  };
  return Object.keys(words)
    .filter((name) => filters[name as keyof DeliveryFilters])
    .map((name) => ({ words: words[name] ?? "", href: hrefOf(path, { ...filters, [name]: undefined }) }));
}

function Nothing({ path, filtered, problem, children }: NothingProps) {
  if (!filtered) {
    return (
      <EmptyState icon={<Send size={18} />} title="Nothing delivered yet">
        {children}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="No delivery matches these filters"
      action={
        <Link href={path} scroll={false} className={buttonClass()}>
          Show all deliveries
        </Link>
      }
    >
      {problem ?? "Take a filter away, or widen the dates. Days are counted in UTC."}
    </EmptyState>
  );
}

interface NothingProps {
  path: string;
  filtered: boolean;
  problem?: string;
  children: ReactNode;
}

/**
 * The delivery log, over all webhooks or of one: filters and pages are links and a form, so they work without
 * JavaScript; with it, the rows follow what happens.
 *
 * @param webhooks the endpoints to choose between; left out on the page of one
 * @param children what to do while nothing was ever delivered
 */
export function DeliveryLog({
  path,
  filters,
  offset,
  answer,
  problem,
  webhooks,
  fixed,
  children,
}: {
  path: string;
  filters: DeliveryFilters;
  offset: number;
  answer: DeliveryListAnswer | undefined;
  problem?: string;
  webhooks?: readonly Choice[];
  /** The webhook whose log it is. */
  fixed?: string;
  children: ReactNode;
}) {
  const { status, ...narrowed } = filters;
  const filtered = Object.keys(filters).length > 0;
  const none = !answer || answer.deliveries.length === 0;
  const untouched = none && !filtered && offset === 0;
  const tabs = [undefined, ...STATUSES].map((value) => ({
    name: value ? STATUS_SHOWN[value].name : "All",
    href: hrefOf(path, { status: value, ...narrowed }),
    current: status === value,
  }));
  const nothing = (
    <Nothing path={path} filtered={filtered || offset > 0} problem={problem}>
      {children}
    </Nothing>
  );
  return (
    <Card flush title="Deliveries" description="What was sent and what was answered, newest first. Kept for 90 days.">
      {!untouched && (
        <div className="relative border-line border-t">
          <div className="px-3 py-2.5 sm:px-4 sm:pr-28">
            <LinkTabs label="Status" tabs={tabs} />
          </div>
          <DeliveryFilterForm path={path} filters={filters} webhooks={webhooks} problem={filters.event_id && problem} />
          <ActiveFilters filters={activeOf(path, filters, webhooks)} clearHref={hrefOf(path, { status })} />
        </div>
      )}
      {problem !== undefined || !answer ? (
        <div className="border-line border-t">{nothing}</div>
      ) : (
        <DeliveryList
          path={path}
          query={listQuery({ ...filters, webhook: fixed ?? filters.webhook }, offset)}
          linkQuery={{ ...filters }}
          initial={answer}
          showUrl={webhooks !== undefined}
          empty={nothing}
        />
      )}
    </Card>
  );
}
