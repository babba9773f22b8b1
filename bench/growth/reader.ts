/*
 * Reads every list and looks up every kind of row in one database, for bench/growth.ts, which names a read and how
 * often to run it and gets the milliseconds of each run. The database is taken from the environment, filled by
 * scripts/seed/seed-rows.ts.
 */
import { readsOf } from "./reads";

/** A request to the reader. */
export interface Wanted {
  read: string;
  times: number;
}

const READS = readsOf(Number(process.argv[2]));

/** The milliseconds of each run, or why one failed. */
export type Took = { took: number[] } | { failed: string };

async function run({ read, times }: Wanted): Promise<Took> {
  const took: number[] = [];
  for (let i = 0; i < times; i++) {
    const before = performance.now();
    const found = await READS[read]?.();
    if (!found) return { failed: "finds nothing" };
    took.push(performance.now() - before);
  }
  return { took };
}

process.on("message", async (wanted: Wanted) => {
  process.send?.(await run(wanted).catch((error: unknown): Took => ({ failed: `fails: ${error}` })));
});
process.send?.(Object.keys(READS));
