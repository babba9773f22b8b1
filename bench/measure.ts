import { loadavg } from "node:os";

/** Times of one kind of request in milliseconds, and requests per second. */
export interface Measured {
  count: number;
  p50: number;
  p99: number;
  perSecond: number;
}

/** Returns the value below which the share `q` of a sample lies (nearest rank). */
export function quantile(sample: readonly number[], q: number): number {
  if (sample.length === 0) throw new Error("nothing was measured");
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] as number;
}

export const median = (sample: readonly number[]): number => quantile(sample, 0.5);

/** Rounds to three significant digits: these machines are not more precise. */
export const round = (value: number): number => Number(value.toPrecision(3));

/**
 * Runs a closed loop: `workers` callers, each calling again after each response, until `count` calls are done. `call`
 * receives the number of its caller; a failing call ends the measurement.
 */
export async function closedLoop(
  workers: number,
  count: number,
  call: (worker: number) => Promise<void>,
): Promise<Measured> {
  const times: number[] = [];
  let left = count;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (left-- > 0) {
        const before = performance.now();
        await call(worker);
        times.push(performance.now() - before);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  return {
    count,
    p50: round(quantile(times, 0.5)),
    p99: round(quantile(times, 0.99)),
    perSecond: round(count / seconds),
  };
}

/** Returns the machine's load averages, to show when a figure was measured on a busy machine. */
export const load = (): number[] => loadavg().map(round);
