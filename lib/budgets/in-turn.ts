/**
 * Lets this process hold few database connections while payments wait: those of one budget queue here before they
 * queue at its row, and no more than `AT_ONCE` budgets are worked on together. Other processes meet at the row's lock.
 */
const AT_ONCE = 10;

const tails = new Map<string, Promise<void>>();
const waiting: (() => void)[] = [];
let running = 0;

/** Runs `work` after all earlier work of the same name has ended, one way or the other. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
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

/** Runs `work` when one of the process's places is free. */
export async function inPlace<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    // The place goes to the next in line, or becomes free.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
