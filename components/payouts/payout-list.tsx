"use client";

import { useList } from "@/components/lists/use-list";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { toPayoutList } from "@/lib/payouts/payout-resource";
import { progressOf, reasonOf, STATUS } from "./wording";

type PayoutListResponse = ReturnType<typeof toPayoutList>;

interface PayoutListProps {
  path: string;
  /** Of the resource. */
  query: Record<string, string | undefined>;
  status?: string | undefined;
  initial: PayoutListResponse;
}

/** A page of payouts, with their progress. */
export function PayoutList({ path, query, status, initial }: PayoutListProps) {
  const { payouts, has_more } = useList("/api/payouts", { query, initial }, (list) =>
    list.payouts.some((one) => one.status === "processing"),
  );
  const last = payouts.at(-1)?.payout_id;
  const older = new URLSearchParams({ ...(status && { status }), ...(last && { starting_after: last }) });
  return (
    <>
      <ul aria-label="Payouts" className="divide-y divide-line border-line border-t text-sm">
        {payouts.map((payout) => (
          <li
            key={payout.payout_id}
            className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 hover:bg-sunken/50 sm:grid-cols-[minmax(0,1fr)_7rem_9rem] sm:px-5"
          >
            <span className="min-w-0">
              <Link
                href={`${path}/${payout.payout_id}`}
                className="block truncate font-medium after:absolute after:inset-0 hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
              >
                {payout.rows === 1 ? "1 payment" : `${payout.rows} payments`}
              </Link>
              <span className="block truncate text-muted text-xs">{progressOf(payout)}</span>
              {payout.status === "paused" && <span className="block text-warning text-xs">{reasonOf(payout)}</span>}
            </span>
            <Badge tone={STATUS[payout.status].tone}>{STATUS[payout.status].name}</Badge>
            <span className="text-muted max-sm:col-start-1 max-sm:text-xs">
              <Time value={payout.created_at} />
            </span>
          </li>
        ))}
      </ul>
      {has_more && (
        <div className="border-line border-t px-4 py-3 sm:px-5">
          <Link href={`${path}?${older}`} className="text-accent text-sm hover:underline">
            Older payouts
          </Link>
        </div>
      )}
    </>
  );
}
