import { log } from "@/lib/base/telemetry/log";

/** Throws once the sweep must do nothing else: another worker may hold its lock. */
export type MayGoOn = () => Promise<void>;

/**
 * Does some work with each item in turn. A failure is logged and holds up no other item.
 *
 * @param mayGoOn called before each item; what it throws ends the work
 * @param about what names an item in the log
 * @throws the first failure, once every item has had its turn
 */
export async function forEachAlone<T>(
  items: Iterable<T>,
  mayGoOn: MayGoOn | undefined,
  about: (item: T) => object,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    await mayGoOn?.();
    try {
      await work(item);
    } catch (error) {
      log().warn({ err: error, ...about(item) }, "a part of the sweep failed: the others go on");
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
