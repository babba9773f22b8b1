/** How many requests run at once. */
const AT_ONCE = 4;

/** What could not be done, and why. */
interface Undone<T> {
  item: T;
  error: unknown;
}

/**
 * Does something with each item, a few at once. One that fails doesn't stop the others.
 *
 * @param onDone called with how many are done, including those that failed
 * @returns those that failed
 */
export async function forEachItem<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  onDone: (done: number) => void,
): Promise<Undone<T>[]> {
  const waiting = [...items];
  const undone: Undone<T>[] = [];
  let done = 0;
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        undone.push({ item, error });
      }
      onDone(++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return undone;
}
