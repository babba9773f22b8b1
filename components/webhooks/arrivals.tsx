import { classNames } from "@/components/ui/class-names";

/** How many of the newest deliveries to draw. */
const SHOWN = 30;
const [STEP, WIDTH, HEIGHT] = [5, 3, 20];

/**
 * Shows whether each of the newest deliveries succeeded, oldest first: a tall tick for success, a short red one for
 * failure.
 */
export function Arrivals({ arrived, className }: { arrived: readonly boolean[]; className?: string }) {
  const shown = arrived.slice(-SHOWN);
  if (shown.length === 0) return null;
  const failed = shown.filter((one) => !one).length;
  const label = `Of the newest ${shown.length} deliveries, ${shown.length - failed} arrived and ${failed} failed.`;
  const width = shown.length * STEP;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      className={classNames("max-w-full", className)}
    >
      <title>{label}</title>
      {shown.map((one, at) => {
        const height = one ? HEIGHT : HEIGHT / 2;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and are drawn together
            key={at}
            x={at * STEP}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
            rx="1"
            className={one ? "fill-success/60" : "fill-danger"}
          />
        );
      })}
    </svg>
  );
}
