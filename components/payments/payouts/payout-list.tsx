"use client";

import { OlderPages } from "@/components/lists/older-pages";
import { useList } from "@/components/lists/use-list";
import { Badge } from "@/components/ui/badge";
import { useCount } from "@/components/ui/count";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { toPayoutList } from "@/lib/payments/payouts/payout-resource";
import { PAYOUT_STATUS, pauseReason, paymentsIn, progressOf } from "./wording";

type PayoutListResponse = ReturnType<typeof toPayoutList>;

interface PayoutListProps {
  path: string;
  /** The query of the resource. */
  query: Record<string, string | undefined>;
  status?: string | undefined;
  initial: PayoutListResponse;
}

/** A page of payouts with their progress. */
export function PayoutList({ path, query, status, initial }: PayoutListProps) {
  const counted = useCount();
  const { payouts, has_more } = useList("/v1/payouts", { query, initial }, (list) =>
    list.payouts.some((one) => one.status === "processing"),
  );
  return (
    <>
      <ul aria-label="Payouts" className="divide-y divide-line border-line border-t text-sm">
        {payouts.map((payout) => (
          <li
            key={payout.payout_id}
            className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 hover:bg-sunken/50 sm:grid-cols-[minmax(0,1fr)_7rem_11rem] sm:px-5"
          >
            <span className="min-w-0">
              <Link
                href={`${path}/${payout.payout_id}`}
                className="block truncate font-medium after:absolute after:inset-0 hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
              >
                {paymentsIn(payout, counted)}
              </Link>
              <span className="block truncate text-muted text-xs">{progressOf(payout, counted)}</span>
              {payout.status === "paused" && <span className="block text-warning text-xs">{pauseReason(payout)}</span>}
            </span>
            <span className="justify-self-start">
              <Badge tone={PAYOUT_STATUS[payout.status].tone}>{PAYOUT_STATUS[payout.status].name}</Badge>
            </span>
            <span className="text-muted max-sm:col-start-1 max-sm:text-xs sm:text-right">
              <Time value={payout.created_at} />
            </span>
          </li>
        ))}
      </ul>
      <OlderPages
        path={path}
        filters={{ status }}
        isNewest={query.starting_after === undefined}
        last={has_more ? payouts.at(-1)?.payout_id : undefined}
      />
    </>
  );
}
