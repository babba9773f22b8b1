"use client";

import { type ListProps, useList } from "@/components/lists/use-list";
import { AgentLine } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { Pagination } from "@/components/ui/pagination";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { toEventList } from "@/lib/events/event-resource";
import type { EventResource } from "@/lib/events/payloads";
import { eventSubject, sentenceOf } from "./wording";

type EventListResponse = ReturnType<typeof toEventList>;

/** A page of events. */
export function EventList({ path, linkQuery, ...page }: ListProps<EventListResponse>) {
  const data = useList("/v1/events", page);
  const columns: Column<EventResource>[] = [
    {
      name: "Event",
      heading: true,
      cell: ({ event, event_id }) => (
        <span className="block min-w-0">
          <Link
            href={`${path}/${event_id}`}
            className="block font-medium after:absolute after:inset-0 sm:max-w-60 sm:truncate md:max-w-none lg:max-w-56 xl:max-w-none hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            {sentenceOf(event)}
          </Link>
          <span className="block truncate font-mono text-muted text-xs">{event}</span>
        </span>
      ),
    },
    {
      name: "Account",
      wide: true,
      cell: ({ account }) => (
        <span title={account} className="block lg:max-w-28 xl:max-w-44">
          <AgentLine handle={account} />
        </span>
      ),
    },
    {
      name: "About",
      cell: (event) => (
        <span className="block truncate sm:max-w-28 md:max-w-44 lg:max-w-28 xl:max-w-44">{eventSubject(event)}</span>
      ),
    },
    {
      name: "When",
      cell: ({ timestamp }) => <Time value={timestamp} seconds className="whitespace-nowrap text-muted tabular-nums" />,
    },
  ];
  return (
    <>
      <Table label="Events" columns={columns} rows={data.events} rowKey={({ event_id }) => event_id} />
      <Pagination
        path={path}
        query={linkQuery}
        limit={data.limit}
        offset={data.offset}
        hasMore={data.has_more}
        count={data.events.length}
      />
    </>
  );
}
