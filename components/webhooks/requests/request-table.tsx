"use client";

import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { LoggedRequestView } from "@/lib/http/request-log/request-resource";

/** The status; of a request that did not succeed, with the page of its error. */
function Outcome({ status, error_code: code }: LoggedRequestView) {
  if (status < 400) return <span className="text-muted tabular-nums">{status}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:justify-end">
      <Badge tone={status >= 500 ? "danger" : "warning"}>{status}</Badge>
      {code && (
        <Link href={`/docs/errors/${code}`} className="font-mono text-muted text-xs hover:text-accent hover:underline">
          {code}
        </Link>
      )}
    </span>
  );
}

const COLUMNS: Column<LoggedRequestView>[] = [
  {
    name: "Request",
    heading: true,
    cell: ({ method, route, request_id }) => (
      <span className="block min-w-0">
        <span className="wrap-anywhere block font-mono text-[13px]">
          <span className="inline-block min-w-14 text-muted">{method}</span> {route}
        </span>
        <span className="flex items-center gap-1 text-faint">
          <span className="truncate font-mono text-xs">{request_id}</span>
          <CopyButton value={request_id} label="request ID" />
        </span>
      </span>
    ),
  },
  { name: "Status", cell: Outcome },
  {
    name: "Key",
    wide: true,
    className: "sm:max-w-40",
    cell: ({ key_label }) => <span className="block truncate">{key_label ?? "Application"}</span>,
  },
  {
    name: "Took",
    align: "end",
    cell: ({ duration_ms }) => <span className="whitespace-nowrap text-muted tabular-nums">{duration_ms} ms</span>,
  },
  {
    name: "When",
    cell: ({ created_at }) => <Time value={created_at} seconds className="whitespace-nowrap text-muted tabular-nums" />,
  },
];

/** Requests with API keys, newest first. */
export function RequestTable({ requests }: { requests: readonly LoggedRequestView[] }) {
  return <Table label="Requests" columns={COLUMNS} rows={requests} rowKey={({ request_id }) => request_id} />;
}
