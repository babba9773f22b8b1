import { Badge } from "@/components/ui/badge";
import { Count } from "@/components/ui/count";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { DeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import { DeliveryStatus } from "./delivery-status";
import { NextAttempt } from "./next-attempt";
import { outcomeOf, waitsBecause } from "./wording";

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

/** The result so far. A delivery that waits behind a failing endpoint says so, because it did nothing wrong itself. */
function Result({ delivery, health }: { delivery: DeliveryResource; health: HealthResource | undefined }) {
  const { status } = delivery;
  const cause = status === "pending" && health ? waitsBecause(health) : undefined;
  const detail = cause ?? (status === "pending" ? undefined : outcomeOf(delivery));
  return (
    <>
      {cause ? <Badge tone="warning">Waiting</Badge> : <DeliveryStatus status={status} />}
      {detail && (
        <span
          className="mt-0.5 block truncate text-muted text-xs first-letter:uppercase max-sm:max-w-44"
          title={detail}
        >
          {detail}
        </span>
      )}
    </>
  );
}

function Attempts({ delivery: { attempt, status, next_attempt_at } }: { delivery: DeliveryResource }) {
  if (status === "failed" && next_attempt_at) {
    return (
      <>
        <span className="block">{attempt === 1 ? "1 attempt" : `${attempt} attempts`}</span>
        <span className="block text-muted text-xs">
          <NextAttempt value={next_attempt_at} before="next " />
        </span>
      </>
    );
  }
  if (attempt === 0) {
    return (
      <span className="text-muted">
        Not sent
        {next_attempt_at && (
          <span className="block text-xs">
            <NextAttempt value={next_attempt_at} before="first " />
          </span>
        )}
      </span>
    );
  }
  return attempt === 1 ? "1 attempt" : `${attempt} attempts`;
}

/**
 * Deliveries, newest first. On a phone each has a few lines: event and status, time and attempts.
 *
 * @param showUrl show each delivery's endpoint instead of its event id
 */
export function DeliveryTable({
  path,
  deliveries,
  health,
  showUrl = false,
}: {
  /** Path of the delivery pages. */
  path: string;
  deliveries: readonly DeliveryResource[];
  /** The health of the webhooks: why deliveries wait. */
  health: readonly HealthResource[];
  showUrl?: boolean;
}) {
  return (
    <table aria-label="Deliveries" className="block w-full table-fixed border-line border-t text-sm sm:table">
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr>
          <th scope="col" className={HEAD}>
            {showUrl ? "Event and endpoint" : "Event"}
          </th>
          <th scope="col" className={`${HEAD} w-44`}>
            Result
          </th>
          <th scope="col" className={`${HEAD} w-46`}>
            Attempts
          </th>
          <th scope="col" className={`${HEAD} w-24 max-lg:hidden`}>
            Took
          </th>
          <th scope="col" className={`${HEAD} w-44`}>
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
              <Result
                delivery={delivery}
                health={health.find(({ webhook_id }) => webhook_id === delivery.webhook_id)}
              />
            </td>
            <td
              className={`${CELL} tabular-nums max-sm:order-last max-sm:text-right max-sm:text-muted max-sm:text-xs sm:table-cell`}
            >
              <Attempts delivery={delivery} />
            </td>
            <td className={`${CELL} hidden whitespace-nowrap text-muted tabular-nums lg:table-cell`}>
              {delivery.duration_ms !== null && (
                <>
                  <Count value={delivery.duration_ms} /> ms
                </>
              )}
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
