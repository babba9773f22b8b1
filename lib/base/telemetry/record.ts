import { WorkValue } from "@/lib/base/work-value";
import type { CounterName, GaugeName, HistogramName, Labels } from "./catalogue";
import { hub, type Reading } from "./hub";

const heldBack = new WorkValue<(() => void)[]>("counts");

/** Counts one occurrence. */
export function count<N extends CounterName>(name: N, labels: Labels<N>): void {
  const { telemetry } = hub();
  if (!telemetry) return;
  const now = () => telemetry.record(name, 1, labels);
  const later = heldBack.get();
  if (later) later.push(now);
  else now();
}

/** Records the duration of something, in seconds. */
export function measure<N extends HistogramName>(name: N, seconds: number, labels: Labels<N>): void {
  hub().telemetry?.record(name, seconds, labels);
}

/** Registers how to read a gauge. It is read only at exports. Each gauge has one reader; a later one replaces it. */
export function gauge<N extends GaugeName>(
  name: N,
  read: () => [number, Labels<N>][] | Promise<[number, Labels<N>][]>,
): void {
  hub().gauges.set(name, read as () => Reading[] | Promise<Reading[]>);
}

/** Runs a transaction. Counts made inside it are recorded once it has committed, and dropped if it fails. */
export async function countOnSuccess<T>(work: () => Promise<T>): Promise<T> {
  const later: (() => void)[] = [];
  const result = await heldBack.run(later, work);
  for (const now of later) now();
  return result;
}
