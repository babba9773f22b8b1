import type { Decimals } from "@/lib/base/money";
import { toUnits } from "./units";

/** The parts of a total, with the colors of their rows. */
export const PARTS = {
  available: { fill: "fill-accent", dot: "bg-accent" },
  notes: { fill: "fill-accent/50", dot: "bg-accent/50" },
  deposited: { fill: "fill-faint/60", dot: "bg-faint/60" },
  agents: { fill: "fill-warning/70", dot: "bg-warning/70" },
} as const;
export type SharePart = keyof typeof PARTS;

const WIDTH = 1_000;

/**
 * A bar that shows the parts of a total; plain while nothing is known or there. Decorative: the rows show the same
 * figures.
 */
export function ShareBar({ parts, decimals }: { parts?: Record<SharePart, string>; decimals: Decimals }) {
  const units = (Object.keys(PARTS) as SharePart[]).map((part) => ({
    part,
    units: toUnits(parts?.[part] ?? "0", decimals),
  }));
  const total = units.reduce((sum, share) => sum + share.units, 0n);
  let from = 0;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} 8`}
      preserveAspectRatio="none"
      width="100%"
      height="6"
      className="rounded-full bg-line"
      aria-hidden="true"
    >
      {total > 0n &&
        units.map((share) => {
          const width = Number((share.units * BigInt(WIDTH)) / total);
          const x = from;
          from += width;
          return (
            width > 0 && <rect key={share.part} x={x} width={width} height={8} className={PARTS[share.part].fill} />
          );
        })}
    </svg>
  );
}
