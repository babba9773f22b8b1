import { lists, type Reads } from "./lists";
import { lookUps } from "./look-ups";
import { middleOf } from "./seeded";
import { workerReads } from "./worker-reads";

/**
 * Every list and look-up of the product, about the busy account of a database that was filled with so many transfers.
 * A new one belongs here: bench/growth/every-read.test.ts fails without it.
 */
export function readsOf(transfers: number): Reads {
  const middle = middleOf(transfers);
  return { ...lists(middle), ...lookUps(middle), ...workerReads(middle) };
}
