import { waitUnlessClientLeft } from "@/lib/base/client-left";
import { currentAccount } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { FairQueue } from "@/lib/base/fair-queue";

/*
 * Limits how many database connections waiting payments hold in this process. Payments from one available balance queue
 * here before they queue at its row lock, and only a bounded number of available balances is worked on at a time.
 * Across processes, the row lock decides.
 */
interface InTurn {
  /** The last waiter for each available balance. */
  tails: Map<string, Promise<void>>;
  slots?: FairQueue;
}

// Next bundles routes separately, so each bundle has its own copy of this module. Keep the one queue on globalThis.
const global = globalThis as typeof globalThis & { halcyonInTurn?: InTurn };

function shared(): InTurn {
  global.halcyonInTurn ??= { tails: new Map() };
  return global.halcyonInTurn;
}

/**
 * Runs `work` after all earlier work of the same name has ended, whether it succeeded or failed.
 *
 * @throws ApiError `unavailable` if the request's client leaves before that
 */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { tails } = shared();
  const before = tails.get(name);
  let release: () => void = () => {};
  const mine = new Promise<void>((resolve) => {
    release = resolve;
  });
  tails.set(name, mine);
  const end = () => {
    release();
    if (tails.get(name) === mine) tails.delete(name);
  };
  try {
    await (before && waitUnlessClientLeft(before));
  } catch (error) {
    // Those behind it wait for those before it.
    void before?.then(end);
    throw error;
  }
  try {
    return await work();
  } finally {
    end();
  }
}

/** Runs `work` once the process has a free slot. Accounts take turns. */
export function inSlot<T>(work: () => Promise<T>): Promise<T> {
  const turns = shared();
  turns.slots ??= makeSlots();
  return turns.slots.run(currentAccount(), work);
}

// Half of the connections, so that some remain when work waits for an available balance. One account gets at most half
// of those, because it may have any number of agents and therefore available balances.
function makeSlots(): FairQueue {
  const slots = Math.ceil(env().databasePool / 2);
  return new FairQueue({ slots, share: Math.ceil(slots / 2) });
}
