import { AsyncLocalStorage } from "node:async_hooks";
import type { CounterName, GaugeName, HistogramName, Labels } from "./catalogue";
import { hub, type Reading } from "./hub";

const heldBack = new AsyncLocalStorage<(() => void)[]>();

/** Counts one occurrence. */
export function count<N extends CounterName>(name: N, labels: Labels<N>): void {
  const { telemetry } = hub();
  if (!telemetry) return;
  const now = () => telemetry.record(name, 1, labels);
  const later = heldBack.getStore();
  if (later) later.push(now);
  else now();
}

/** Records how long something took, in seconds. */
export function measure<N extends HistogramName>(name: N, seconds: number, labels: Labels<N>): void {
  hub().telemetry?.record(name, seconds, labels);
}

/** Says how a gauge is read: at each export, never else. One reader for each gauge; a later one takes its place. */
export function gauge<N extends GaugeName>(
  name: N,
  read: () => [number, Labels<N>][] | Promise<[number, Labels<N>][]>,
): void {
  hub().gauges.set(name, read as () => Reading[] | Promise<Reading[]>);
}

/** Runs a transaction; what is counted inside counts once it has committed, and not at all when it fails. */
export async function countOnSuccess<T>(work: () => Promise<T>): Promise<T> {
  const later: (() => void)[] = [];
  const result = await heldBack.run(later, work);
  for (const now of later) now();
  return result;
}
