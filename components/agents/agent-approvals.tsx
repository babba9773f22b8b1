"use client";

import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { readWaiting, type WaitingPage } from "@/components/approvals/held-payment";
import { shortened } from "@/components/ui/address";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { WAITING_SHOWN } from "./agent-summary";

/** A page of waiting payments. */
type Waiting = Pick<WaitingPage, "pending" | "has_more">;

/** An agent's payments that wait for its owner's approval. Renders nothing if there are none. */
export function AgentApprovals({
  agentId,
  initial,
}: {
  agentId: string;
  /** The oldest of them, as the server rendered it. */
  initial: Waiting;
}) {
  const network = useNetwork();
  const query = { agent: agentId, limit: String(WAITING_SHOWN) };
  const { data = initial } = useResource<Waiting>("/v1/agents/transactions/pending", {
    query,
    initial,
    read: readWaiting(query),
  });
  const { pending: waiting, has_more: more } = data;
  if (waiting.length === 0) return null;
  return (
    <Card
      flush
      title={`${more ? "More than " : ""}${waiting.length} ${waiting.length === 1 ? "payment waits" : "payments wait"} for you`}
      description={`Above the approval threshold: ${waiting.length === 1 ? "it is paid once you approve it" : "they are paid once you approve them"}.`}
      action={
        <Link href={`/${network}/approvals`} className={buttonClass("primary", "small")}>
          Review
        </Link>
      }
    >
      <ul className="divide-y divide-line border-line border-t text-sm">
        {waiting.map(({ transaction_id, to, requested_at, expires_at }) => (
          <li
            key={transaction_id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3 sm:px-5"
          >
            <span className="min-w-0 truncate">
              To <span className="font-medium">{to.startsWith("0x") ? shortened(to) : to}</span>
            </span>
            <span className="text-muted text-xs">
              Asked <Time value={requested_at} />, expires <Time value={expires_at} deadline />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
