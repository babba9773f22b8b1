"use client";

import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { shortened } from "@/components/ui/address";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { SealedHeldPayment } from "@/sdk/api/api-types";

/** An agent's payments that wait for its owner; nothing when none do. */
export function AgentPending({
  handle,
  ended,
  initial,
}: {
  handle: string;
  /** Nothing of its can be approved any more. */
  ended: boolean;
  /** Of all agents, as the queue has them. */
  initial: { pending: SealedHeldPayment[] };
}) {
  const network = useNetwork();
  const { data = initial } = useResource<{ pending: SealedHeldPayment[] }>(
    "/api/agents/transactions/pending?limit=100",
    {
      initial,
    },
  );
  const waiting = data.pending.filter(({ agent }) => agent === handle);
  if (waiting.length === 0) return null;
  return (
    <Card
      flush
      title={`${waiting.length} ${waiting.length === 1 ? "payment waits" : "payments wait"} for you`}
      description={
        ended
          ? "The agent has ended, so nothing of this can be approved. Reject it."
          : `Over the threshold of the policy: ${waiting.length === 1 ? "it is made once you approve it" : "they are made once you approve them"}.`
      }
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
              Asked <Time value={requested_at} />, ends <Time value={expires_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
