/** What happened on one day. */
interface Day<T> {
  /** As its reader calls it. */
  name: string;
  transfers: T[];
}

/**
 * Entries of a list under their days, in the order of the list.
 *
 * @param nameOf the day of a moment, in the reader's zone: two moments are of one day if it calls them alike
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
