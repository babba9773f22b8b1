"use client";

import { useResource } from "@/components/api/use-resource";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { ScheduleRun, ScheduleRunDetails } from "@/sdk/api/resources/schedules";
import { failureWords, RUN_STATUS } from "./wording";

/** One date of a schedule: its status, its transfers, and its payment. */
export function RunRow({
  run,
  network,
  canPay,
  onPay,
}: {
  run: ScheduleRun;
  network: string;
  canPay: boolean;
  onPay: () => void;
}) {
  const isPaid = run.status === "paid" || run.status === "paying";
  const { data } = useResource<ScheduleRunDetails>(`/v1/schedules/${run.schedule_id}/runs/${run.run_id}`, {
    enabled: isPaid,
  });
  const why = run.status === "due" ? failureWords(run.failure) : null;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 sm:px-5">
      <span className="min-w-0">
        <Time value={run.due_at} className="font-medium" />
        {run.status === "due" && (
          <span className="block text-muted text-xs">
            {why ?? "Waits for one of your clients."} Until <Time value={run.window_ends_at} deadline />.
          </span>
        )}
        {run.status === "missed" && (
          <span className="block text-muted text-xs">No one paid it in time. No money moved.</span>
        )}
        {(data?.transfers ?? []).map(({ transfer_id, to }) => (
          <Link
            key={transfer_id}
            href={`/${network}/transfers/${transfer_id}`}
            className="block truncate text-muted text-xs hover:text-accent"
          >
            {to}
          </Link>
        ))}
      </span>
      <span className="flex items-center gap-3">
        <Badge tone={RUN_STATUS[run.status].tone}>{RUN_STATUS[run.status].name}</Badge>
        {canPay && (run.status === "due" || run.status === "missed") && (
          <Button size="small" onClick={onPay}>
            Pay now
          </Button>
        )}
      </span>
    </li>
  );
}
