import type { AvailableId } from "@/lib/balances/lock";

/** How long the first payment of a batch waits for the next one that is being looked up, in milliseconds. */
const NEXT_MS = 50;
/** How long it waits for all of them in total, in milliseconds. */
const LONGEST_MS = 200;

interface OnTheirWay {
  count: number;
  watching: Set<() => void>;
}

// The payments that this process is looking up for each available balance; they will soon wait for their turn. Next.js
// bundles routes separately, so each bundle has its own copy of this module. Keep the one map on globalThis.
const shared = globalThis as typeof globalThis & { halcyonOnTheirWay?: Map<string, OnTheirWay> };
shared.halcyonOnTheirWay ??= new Map();
const availableBalances = shared.halcyonOnTheirWay;

const nameOf = ({ chainId, account, asset }: AvailableId) => `${chainId}/${account}/${asset}`;

/**
 * Counts a payment that is being looked up. Call the returned function once the payment waits for its turn, or has
 * failed.
 */
export function comesTo(availableId: AvailableId): () => void {
  const name = nameOf(availableId);
  const coming = availableBalances.get(name) ?? { count: 0, watching: new Set() };
  availableBalances.set(name, coming);
  coming.count += 1;
  let isComing = true;
  return () => {
    if (!isComing) return;
    isComing = false;
    coming.count -= 1;
    if (coming.count === 0) availableBalances.delete(name);
    for (const look of [...coming.watching]) look();
  };
}

/**
 * Waits until all payments on their way to an available balance have arrived, a batch is full, none has arrived for 50
 * ms, or 200 ms have passed. Returns at once if there are too few for a batch.
 *
 * @param waiting returns how many payments wait for the available balance
 * @param least the smallest batch
 * @param enough the largest batch
 */
export async function othersCame(
  availableId: AvailableId,
  waiting: () => number,
  { least, enough }: { least: number; enough: number },
): Promise<void> {
  const coming = availableBalances.get(nameOf(availableId));
  const isOver = () => !coming || waiting() >= enough || waiting() + coming.count < least || coming.count === 0;
  if (!coming || isOver()) return;
  const until = performance.now() + LONGEST_MS;
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(timer);
      coming.watching.delete(look);
      resolve();
    };
    const look = () => {
      if (isOver()) return end();
      clearTimeout(timer);
      timer = setTimeout(end, Math.min(NEXT_MS, until - performance.now()));
    };
    coming.watching.add(look);
    look();
  });
}
