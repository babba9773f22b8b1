/** The entries of one day. */
interface Day<T> {
  /** The day's name in the reader's language. */
  name: string;
  transfers: T[];
}

/**
 * Groups a list's entries by day, in the order of the list.
 *
 * @param nameOf returns the name of a moment's day in the reader's time zone; equal names mean the same day
 */
export function byDay<T extends { created_at: string }>(
  transfers: readonly T[],
  nameOf: (date: Date) => string,
): Day<T>[] {
  const days: Day<T>[] = [];
  for (const transfer of transfers) {
    const name = nameOf(new Date(transfer.created_at));
    const last = days.at(-1);
    if (last?.name === name) last.transfers.push(transfer);
    else days.push({ name, transfers: [transfer] });
  }
  return days;
}
