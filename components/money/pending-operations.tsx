"use client";

import { useRefreshEvery } from "@/components/api/use-refresh";
import { Address } from "@/components/ui/address";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Time } from "@/components/ui/time";

/** An operation in progress, as the server renders it. */
interface PendingEntry {
  operation_id: string;
  kind: string;
  tx_hash: string;
  created_at: string;
  /** Handle of its agent; null for the account itself. */
  agent: string | null;
}

const NAMES: Record<string, string> = {
  enroll: "Enrollment",
  enroll_agent: "Enrollment of an agent",
  set_payment_key: "New payment key",
  abandon: "Balance given up",
  deposit: "Deposit",
  make_available: "Available balance change",
  transfer: "Payment",
  release: "Public payment",
  fund: "Move between balances",
  mint: "Test money",
};

const LOOK_MS = 1_500;

/** Lists operations on their way to the chain. Polls until they have settled. */
export function PendingOperations({ operations }: { operations: PendingEntry[] }) {
  const waiting = operations.length > 0;
  useRefreshEvery(waiting ? LOOK_MS : null);
  if (!waiting) return null;
  return (
    <Card
      title="On its way"
      description="Accepted and sent to the chain. Each settles by itself, usually in seconds."
      flush
    >
      <ul className="divide-y divide-line border-line border-t text-sm">
        {operations.map(({ operation_id, kind, tx_hash, created_at, agent }) => (
          <li key={operation_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 sm:px-5">
            <span className="font-medium">
              {NAMES[kind] ?? kind}
              {agent && <span className="ml-1.5 font-normal text-muted">{agent}</span>}
            </span>
            <Badge tone="warning">Pending</Badge>
            <span className="ml-auto flex items-center gap-4 text-muted">
              <Time value={created_at} />
              <Address value={tx_hash} label="transaction hash" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
