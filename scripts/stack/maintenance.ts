import { maintain } from "@/db/maintain";
import { readRetention } from "@/lib/base/env";

const EVERY_MS = 86_400_000;
const AGAIN_MS = 3_600_000;

/**
 * Runs `npm run maintain` at once and then daily. A failure is reported and retried after an hour; it stops nothing,
 * because rows can be stored in any case.
 *
 * @returns a function that ends it
 */
export async function startMaintenance(
  ownerUrl: string,
  appUrl: string,
  say: (line: string) => void,
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const run = async () => {
    let pause = EVERY_MS;
    try {
      const { dropped, kept } = await maintain(ownerUrl, appUrl, readRetention());
      if (dropped.length > 0) say(`dropped what is past its time: ${dropped.join(", ")}`);
      for (const why of kept) say(`past its time and kept: ${why}`);
    } catch (error) {
      pause = AGAIN_MS;
      say(`partitions were not maintained: ${error instanceof Error ? error.message : error}`);
    }
    if (!ended) timer = setTimeout(run, pause).unref();
  };
  await run();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
