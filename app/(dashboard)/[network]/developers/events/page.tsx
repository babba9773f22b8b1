import { Activity } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { FilteredList } from "@/components/lists/filtered-list";
import { type ListPageProps, offsetOf } from "@/components/lists/search-params";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { EventList } from "@/components/webhooks/events/event-list";
import { eventsPath } from "@/components/webhooks/events/events-path";
import { EVENT_FIELDS, eventsQuery, readEventFilters } from "@/components/webhooks/events/filters";
import { ListenHint } from "@/components/webhooks/listen-hint";
import { webhooksPath } from "@/components/webhooks/paths";
import { isId } from "@/lib/base/ids";
import { toEventList } from "@/lib/events/event-resource";
import { listEvents } from "@/lib/events/list-events";
import { ListEventsQuery } from "@/lib/events/schema";

export const metadata: Metadata = { title: "Events" };

function NoEvents({ network }: { network: string }) {
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
        Every payment you send or receive and every decision about an agent creates an event. Events are listed here and
        sent to your webhooks.
      </EmptyState>
      <ListenHint />
    </>
  );
}

/** The events of the account and its agents. */
export default async function EventsPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const filters = readEventFilters(search);
  const offset = offsetOf(search);
  const { event_id: id } = filters;
  if (id !== undefined && isId("event", id)) redirect(`${eventsPath(network)}/${id}`);
  const problem = id === undefined ? undefined : "An event ID starts with evt_, followed by 26 characters.";
  const query = eventsQuery(filters, offset);
  const list = toEventList(await listEvents(ctx, ListEventsQuery.parse(query)));
  const path = eventsPath(network);
  return (
    <>
      <PageHeader
        title="Events"
        description="What happened to the account and its agents, as webhooks receive it. No event contains an amount."
      />
      <FilteredList
        path={path}
        fields={EVENT_FIELDS}
        filters={{ ...filters }}
        problem={problem}
        one="event"
        many="events"
        none={list.events.length === 0}
        further={offset > 0}
        empty={<NoEvents network={network} />}
      >
        <EventList path={path} query={query} linkQuery={{ ...filters }} initial={list} />
      </FilteredList>
    </>
  );
}
