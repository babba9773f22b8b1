"use client";

import { useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { localeOfReader } from "@/components/ui/time";
import { ceilingOf, compact, type Flows, rounded } from "./spend";

const SIDES = [
  { name: "In", of: "paidIn", fill: "fill-accent", dot: "bg-accent" },
  { name: "Out", of: "paidOut", fill: "fill-ink/50", dot: "bg-ink/50" },
] as const;

/** The width of a day and of a bar, the height of the chart, and how round a bar's top is. */
const [STEP, BAR, HEIGHT, ROUND] = [24, 8, 160, 3];

/** Returns the path of a bar that stands on the axis. */
function barPath(x: number, height: number): string {
  const round = Math.min(ROUND, height);
  const top = HEIGHT - height;
  return `M${x},${HEIGHT}V${top + round}q0,-${round} ${round},-${round}h${BAR - 2 * round}q${round},0 ${round},${round}V${HEIGHT}Z`;
}

function nameOf(day: string): string {
  const [year = 0, month = 1, date] = day.split("-").map(Number);
  const format = new Intl.DateTimeFormat(localeOfReader(), { day: "numeric", month: "short" });
  return format.format(new Date(year, month - 1, date));
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** What came in and went out on each day. A day that is pointed at shows its figures, otherwise all days together. */
export function DayChart({ days, flows, asset }: { days: readonly string[]; flows: Flows; asset: string }) {
  const [pointed, setPointed] = useState<number>();
  const top = ceilingOf(Math.max(...flows.paidIn, ...flows.paidOut));
  const when = pointed === undefined ? `${days.length} days` : nameOf(days[pointed] ?? "");
  return (
    <figure>
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-3 text-xs tabular-nums">
        <span className="min-w-14 text-muted">{when}</span>
        {SIDES.map(({ name, of, dot }) => (
          <span key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={classNames("size-2 rounded-full", dot)} />
            <span className="text-muted">{name}</span>
            {rounded(pointed === undefined ? sum(flows[of]) : (flows[of][pointed] ?? 0))} {asset}
          </span>
        ))}
      </figcaption>
      <div aria-hidden="true" className="flex gap-3" onPointerLeave={() => setPointed(undefined)}>
        <div className="flex h-40 w-9 shrink-0 flex-col justify-between text-right text-[11px] text-muted tabular-nums leading-none">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{value === 0 ? "0" : compact(value)}</span>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <svg
            viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
            className="h-40 w-full overflow-visible"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {[0, 0.5, 1].map((line) => (
              <line
                key={line}
                x1="0"
                x2={days.length * STEP}
                y1={HEIGHT * (1 - line)}
                y2={HEIGHT * (1 - line)}
                vectorEffect="non-scaling-stroke"
                className="stroke-line"
              />
            ))}
            {days.map((day, at) => (
              <g key={day} onPointerEnter={() => setPointed(at)} onPointerDown={() => setPointed(at)}>
                <rect
                  x={at * STEP}
                  width={STEP}
                  height={HEIGHT}
                  className={pointed === at ? "fill-sunken" : "fill-transparent"}
                />
                {SIDES.map(({ of, fill }, side) => {
                  const height = ((flows[of][at] ?? 0) / top) * HEIGHT;
                  const x = at * STEP + 3 + side * (BAR + 2);
                  return height > 0 && <path key={of} d={barPath(x, height)} className={fill} />;
                })}
              </g>
            ))}
          </svg>
          <div className="flex justify-between pt-2 text-[11px] text-muted">
            {[0, Math.floor(days.length / 2), days.length - 1].map((at) => (
              <span key={at}>{nameOf(days[at] ?? "")}</span>
            ))}
          </div>
        </div>
      </div>
      <table className="sr-only">
        <caption>{`In and out by day, in ${asset}`}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {SIDES.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(
            (day, at) =>
              SIDES.some(({ of }) => flows[of][at]) && (
                <tr key={day}>
                  <th scope="row">{nameOf(day)}</th>
                  {SIDES.map(({ of }) => (
                    <td key={of}>{rounded(flows[of][at] ?? 0)}</td>
                  ))}
                </tr>
              ),
          )}
        </tbody>
      </table>
    </figure>
  );
}
