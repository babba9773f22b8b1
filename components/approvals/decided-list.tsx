"use client";

import { useResource } from "@/components/api/use-resource";
import { shortName } from "@/components/ui/agent-name";
import { Amount } from "@/components/ui/amount";
import { Link } from "@/components/ui/link";
import { Pagination } from "@/components/ui/pagination";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { HeldPaymentDetails } from "@/sdk/api/resources/approvals";
import { WAITING } from "./filters";
import { type ApprovalAgent, deciderInWords, type HeldDetails, heldDetailsOf } from "./held-payment";
import { OutcomeBadge } from "./outcome-badge";
import { useHeld } from "./use-held";

/** A page of decided payments, as `GET /api/agents/transactions` returns it. */
interface DecidedPage {
  transactions: HeldPaymentDetails[];
  limit: number;
  offset: number;
  has_more: boolean;
}

function HeldAmount({ held, agents }: { held: HeldDetails; agents: readonly ApprovalAgent[] }) {
  const { encrypted, content, error } = useHeld(held, agents);
  return <Amount value={error ? null : content?.amount} asset={held.asset} encrypted={encrypted} />;
}

/** What was decided, by whom and when. Newest request first. */
export function DecidedList({
  path,
  query,
  waiting,
  initial,
  agents,
  sessionId,
}: {
  path: string;
  query: Record<string, string | undefined>;
  /** The offset of the queue above, kept in the links. */
  waiting: string | undefined;
  initial: DecidedPage;
  agents: readonly ApprovalAgent[];
  sessionId: string;
}) {
  const { data = initial } = useResource<DecidedPage>("/api/agents/transactions", { query, initial });
  const { status } = query;
  const link = (id: string) => {
    const search = new URLSearchParams();
    if (status) search.set("status", status);
    if (waiting) search.set(WAITING, waiting);
    if (data.offset > 0) search.set("offset", String(data.offset));
    search.set("open", id);
    return `${path}?${search}`;
  };
  const columns: Column<HeldDetails>[] = [
    {
      name: "Payment",
      heading: true,
      cell: ({ transaction_id, agent, to }) => (
        <Link href={link(transaction_id)} scroll={false} className="block rounded-sm hover:underline">
          <span className="wrap-anywhere block font-medium">{to}</span>
          <span className="wrap-anywhere block text-muted text-xs">asked by {shortName(agent)}</span>
        </Link>
      ),
    },
    { name: "Amount", align: "end", cell: (held) => <HeldAmount held={held} agents={agents} /> },
    {
      name: "Outcome",
      cell: (held) => (
        <span className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1 sm:justify-start">
          <OutcomeBadge status={held.status} />
          <span className="text-muted text-xs">{deciderInWords(held, sessionId)}</span>
        </span>
      ),
    },
    {
      name: "When",
      align: "end",
      className: "sm:whitespace-nowrap",
      cell: ({ decided_at, expires_at }) => <Time value={decided_at ?? expires_at} className="text-muted" />,
    },
  ];
  return (
    <>
      <Table
        label="Decided payments"
        columns={columns}
        rows={data.transactions.map(heldDetailsOf)}
        rowKey={({ transaction_id }) => transaction_id}
      />
      <Pagination
        path={path}
        query={{ status, [WAITING]: waiting }}
        limit={data.limit}
        offset={data.offset}
        hasMore={data.has_more}
        count={data.transactions.length}
      />
    </>
  );
}
