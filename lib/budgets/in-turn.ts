import { currentAccount } from "@/lib/current-account";
import { env } from "@/lib/env";
import { FairQueue } from "@/lib/fair-queue";

/*
 * Lets this process hold few database connections while payments wait: those of one budget queue here before they queue
 * at its row, and a bounded number of budgets is worked on together. Other processes meet at the row's lock.
 */
interface InTurn {
  /** The last that waits for each budget. */
  tails: Map<string, Promise<void>>;
  slots: FairQueue;
}

// Next bundles routes separately: one queue per process wants a place outside the modules.
const global = globalThis as typeof globalThis & { halcyonInTurn?: InTurn };

function shared(): InTurn {
  global.halcyonInTurn ??= { tails: new Map(), slots: makeSlots() };
  return global.halcyonInTurn;
}

/** Runs `work` after all earlier work of the same name has ended, one way or the other. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { tails } = shared();
  const before = tails.get(name);
  let release: () => void = () => {};
  const mine = new Promise<void>((resolve) => {
    release = resolve;
  });
  tails.set(name, mine);
  try {
    await before;
    return await work();
  } finally {
    release();
    if (tails.get(name) === mine) tails.delete(name);
  }
}

/** Runs `work` when one of the process's slots is free, in turn by account. */
export function inSlot<T>(work: () => Promise<T>): Promise<T> {
  return shared().slots.run(currentAccount(), work);
}

// Half of the connections, so that those who wait for a budget leave some; and of that half for one account, which may
// have any number of agents and so of budgets.
function makeSlots(): FairQueue {
  const slots = Math.ceil(env().databasePool / 2);
  return new FairQueue({ slots, share: Math.ceil(slots / 2) });
}
