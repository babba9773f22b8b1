"use client";

import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { LoggedRequestView } from "@/lib/accounts/request-log/request-resource";

const NOT_ON_PHONES = "max-sm:hidden";

/** The status; of a request that did not succeed, with the page of its error. */
function Outcome({ status, error_code: code }: LoggedRequestView) {
  if (status < 400) return <span className="text-muted tabular-nums">{status}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={status >= 500 ? "danger" : "warning"}>{status}</Badge>
      {code && (
        <Link href={`/docs/errors/${code}`} className="font-mono text-muted text-xs hover:text-accent hover:underline">
          {code}
        </Link>
      )}
    </span>
  );
}

const seconds = (created_at: string) => <Time value={created_at} seconds className="whitespace-nowrap tabular-nums" />;
const keyOf = ({ key_label, key_id }: LoggedRequestView) => key_label ?? key_id;

const COLUMNS: Column<LoggedRequestView>[] = [
  {
    name: "Request",
    heading: true,
    cell: (request) => (
      <span className="block min-w-0">
        <span className="wrap-anywhere block font-mono text-[13px]">
          <span className="inline-block min-w-14 text-muted">{request.method}</span> {request.route}
        </span>
        <span className="flex items-center gap-1 text-faint">
          <span className="truncate font-mono text-xs">{request.request_id}</span>
          <CopyButton value={request.request_id} label="request ID" />
        </span>
        {/* On a phone, in place of four lines of names and values. */}
        <span className="mt-1 grid grid-cols-1 gap-1 text-muted text-xs sm:hidden">
          <span className="flex items-center justify-between gap-3">
            <Outcome {...request} />
            <span className="tabular-nums">{request.duration_ms} ms</span>
          </span>
          <span className="flex items-center justify-between gap-3">
            <span className="min-w-0 truncate">{keyOf(request)}</span>
            {seconds(request.created_at)}
          </span>
        </span>
      </span>
    ),
  },
  { name: "Status", className: NOT_ON_PHONES, cell: Outcome },
  {
    name: "Key",
    wide: true,
    className: NOT_ON_PHONES,
    cell: (request) => <span className="block max-w-28 truncate xl:max-w-40">{keyOf(request)}</span>,
  },
  {
    name: "Took",
    align: "end",
    className: NOT_ON_PHONES,
    cell: ({ duration_ms }) => <span className="whitespace-nowrap text-muted tabular-nums">{duration_ms} ms</span>,
  },
  {
    name: "When",
    className: NOT_ON_PHONES,
    cell: ({ created_at }) => <span className="text-muted">{seconds(created_at)}</span>,
  },
];

/** Requests with API keys, newest first. */
export function RequestTable({ requests }: { requests: readonly LoggedRequestView[] }) {
  return <Table label="Requests" columns={COLUMNS} rows={requests} rowKey={({ request_id }) => request_id} />;
}
