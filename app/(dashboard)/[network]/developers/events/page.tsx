import { Activity, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { owner } from "@/app/(dashboard)/owner";
import { EventFilterForm } from "@/components/events/event-filter-form";
import { EventList } from "@/components/events/event-list";
import { listQuery, readFilters } from "@/components/events/filters";
import { ActiveFilters } from "@/components/lists/active-filters";
import { hrefOf, offsetOf, type SearchParams } from "@/components/lists/search-params";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { ListenHint } from "@/components/webhooks/listen-hint";
import { eventsPath, webhooksPath } from "@/components/webhooks/paths";
import { toEventList } from "@/lib/events/event-resource";
import { listEvents } from "@/lib/events/list-events";
import { ListEventsQuery } from "@/lib/events/schema";

export const metadata: Metadata = { title: "Events" };

interface PageProps {
  params: Promise<{ network: string }>;
  searchParams: Promise<SearchParams>;
}

function NoEvents({ path, network, filtered }: { path: string; network: string; filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="No event matches these filters"
        action={
          <Link href={path} className={buttonClass()}>
            Show all events
          </Link>
        }
      >
        Take a filter away, or widen the dates. Days are counted in UTC.
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState
        icon={<Activity size={20} />}
        title="No events yet"
        action={
          <>
            <Link href={`/${network}?do=send`} className={buttonClass("primary")}>
              Send a payment
            </Link>
            <Link href={`${webhooksPath(network)}?do=create`} className={buttonClass()}>
              Add a webhook
            </Link>
          </>
        }
      >
        Each payment, sent or received, and each decision about an agent makes events. They are listed here and sent to
        your webhooks.
      </EmptyState>
      <ListenHint />
    </>
  );
}

/** What happened to the account and its agents. */
export default async function EventsPage({ params, searchParams }: PageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const filters = readFilters(search);
  const offset = offsetOf(search);
  const query = listQuery(filters, offset);
  const list = toEventList(await listEvents(ctx, ListEventsQuery.parse(query)));
  const path = eventsPath(network);
  const filtered = Object.keys(filters).length > 0 || offset > 0;
  const none = list.events.length === 0;
  const words = { type: filters.type, from: `From ${filters.from}`, to: `Until ${filters.to}` };
  const names = Object.keys(filters) as (keyof typeof filters)[];
  const active = names.map((name) => ({
    words: words[name] ?? "",
    href: hrefOf(path, { ...filters, [name]: undefined }),
  }));
  return (
    <>
      <PageHeader
        title="Events"
        description="What happened to the account and its agents, as webhooks are told it. No event holds an amount."
      />
      <Card flush>
        {(!none || filtered) && (
          <div className="relative -mt-4">
            <div className="flex h-13 items-center px-4 font-medium text-[15px] max-sm:hidden sm:px-5">
              <h2>Newest first</h2>
            </div>
            <EventFilterForm path={path} filters={filters} />
            <ActiveFilters filters={active} clearHref={path} />
          </div>
        )}
        {none ? (
          <div className={filtered ? "border-line border-t" : "-mt-4"}>
            <NoEvents path={path} network={network} filtered={filtered} />
          </div>
        ) : (
          <EventList path={path} query={query} linkQuery={{ ...filters }} initial={list} />
        )}
      </Card>
    </>
  );
}
