"use client";

import { useCount } from "@/components/ui/count";
import { Time } from "@/components/ui/time";

/** Requests of one UTC day. */
export interface UsageDay {
  day: string;
  requests: number;
}

const WIDTH = 600;
const HEIGHT = 140;

/** Requests per day as bars. A table holds the same figures for people who can't see the bars. */
export function UsageChart({ days }: { days: UsageDay[] }) {
  const highest = Math.max(1, ...days.map(({ requests }) => requests));
  const count = useCount();
  const step = WIDTH / days.length;
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  const [first] = days;
  const last = days.at(-1);
  return (
    <figure>
      <figcaption className="flex items-baseline justify-between gap-4 text-muted text-xs">
        <span>
          <span className="font-medium text-base text-ink tabular-nums">{count(total)}</span> requests in {days.length}{" "}
          days
        </span>
        <span className="tabular-nums">most in a day: {count(highest)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="mt-3 h-36 w-full"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
        {days.map(({ day, requests }, index) => {
          const height = requests === 0 ? 0 : Math.max(2, (requests / highest) * (HEIGHT - 4));
          return (
            <rect
              key={day}
              x={index * step + step * 0.15}
              y={HEIGHT - height}
              width={step * 0.7}
              height={height}
              rx="1.5"
              className="fill-accent"
            >
              <title>{`${day}: ${count(requests)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="mt-1.5 flex justify-between text-faint text-xs">
        {first && <Time value={`${first.day}T00:00:00.000Z`} day utc />}
        {last && <Time value={`${last.day}T00:00:00.000Z`} day utc />}
      </div>
      <table className="sr-only">
        <caption>Requests per day</caption>
        <tbody>
          {days.map(({ day, requests }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>{requests}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
