import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { DeliveryResource } from "@/lib/webhooks/delivery-resource";
import { DeliveryStatus } from "./delivery-status";
import { outcomeOf } from "./wording";

const HEAD = "whitespace-nowrap px-3 py-2.5 text-left font-medium text-muted text-xs first:pl-5 last:pr-5";
const CELL = "sm:border-line sm:border-t sm:px-3 sm:py-3 sm:align-middle sm:first:pl-5 sm:last:pr-5";

function What({ delivery, href, showUrl }: { delivery: DeliveryResource; href: string; showUrl: boolean }) {
  const { event, event_id, trigger, url } = delivery;
  return (
    <>
      <span className="flex items-center gap-2">
        <Link
          href={href}
          className="truncate font-medium after:absolute after:inset-0 hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {event}
        </Link>
        {trigger !== "automatic" && <Badge tone="accent">{trigger === "test" ? "Test" : "Replay"}</Badge>}
      </span>
      <span className="block truncate font-mono text-muted text-xs">{showUrl ? url : event_id}</span>
    </>
  );
}

function Attempts({ delivery: { attempt, status, next_attempt_at } }: { delivery: DeliveryResource }) {
  if (status === "failed" && next_attempt_at) {
    return (
      <>
        <span className="block">{attempt === 1 ? "1 attempt" : `${attempt} attempts`}</span>
        <span className="block text-muted text-xs">
          next <Time value={next_attempt_at} seconds />
        </span>
      </>
    );
  }
  if (attempt === 0) {
    return (
      <span className="text-muted">
        {next_attempt_at ? (
          <>
            first <Time value={next_attempt_at} seconds />
          </>
        ) : (
          "not sent"
        )}
      </span>
    );
  }
  return attempt === 1 ? "1 attempt" : `${attempt} attempts`;
}

/**
 * Deliveries, newest first. On a phone each is a few lines: what and how it went, when and how often.
 *
 * @param showUrl show the endpoint of each instead of its event's id
 */
export function DeliveryTable({
  path,
  deliveries,
  showUrl = false,
}: {
  /** Of the delivery pages. */
  path: string;
  deliveries: readonly DeliveryResource[];
  showUrl?: boolean;
}) {
  return (
    <table aria-label="Deliveries" className="block w-full table-fixed border-line border-t text-sm sm:table">
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr>
          <th scope="col" className={HEAD}>
            {showUrl ? "Event and endpoint" : "Event"}
          </th>
          <th scope="col" className={`${HEAD} w-32`}>
            Result
          </th>
          <th scope="col" className={`${HEAD} w-40`}>
            Attempts
          </th>
          <th scope="col" className={`${HEAD} w-20 max-lg:hidden`}>
            Took
          </th>
          <th scope="col" className={`${HEAD} w-36`}>
            Queued
          </th>
        </tr>
      </thead>
      <tbody className="block sm:table-row-group">
        {deliveries.map((delivery) => (
          <tr
            key={delivery.delivery_id}
            className="relative grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-2 border-line border-t px-4 py-3.5 first:border-t-0 hover:bg-sunken/50 sm:table-row sm:p-0"
          >
            <td className={`${CELL} min-w-0 sm:table-cell`}>
              <What delivery={delivery} href={`${path}/${delivery.delivery_id}`} showUrl={showUrl} />
            </td>
            <td className={`${CELL} sm:table-cell max-sm:text-right`}>
              <DeliveryStatus status={delivery.status} />
              {delivery.status !== "pending" && (
                <span className="mt-0.5 block truncate text-muted text-xs max-sm:max-w-36" title={outcomeOf(delivery)}>
                  {outcomeOf(delivery)}
                </span>
              )}
            </td>
            <td
              className={`${CELL} tabular-nums max-sm:order-last max-sm:text-right max-sm:text-muted max-sm:text-xs sm:table-cell`}
            >
              <Attempts delivery={delivery} />
            </td>
            <td className={`${CELL} hidden text-muted tabular-nums lg:table-cell`}>
              {delivery.duration_ms === null ? "" : `${delivery.duration_ms.toLocaleString("en")} ms`}
            </td>
            <td className={`${CELL} text-muted tabular-nums max-sm:text-xs sm:table-cell sm:whitespace-nowrap`}>
              <Time value={delivery.created_at} seconds />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
