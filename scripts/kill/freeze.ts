import { childrenOf, processState, sleep } from "../stack/processes";

const PAUSE_MS = 5;
const MOST_TRIES = 2_000;
/** One of several may have ended just before, and a parent that stands still does not read its status. */
const ENDED = new Set<string | undefined>([undefined, "Z"]);

/**
 * Freezes a process and those it has started for a while, as a host that is suspended or out of memory does: nothing of
 * theirs runs, and nothing is closed.
 *
 * @throws Error if one of them did not stand still all that time
 */
export async function freeze(pid: number, seconds: number, { children }: { children: boolean }): Promise<void> {
  const frozen: number[] = [];
  const stop = async (one: number) => {
    process.kill(one, "SIGSTOP");
    frozen.push(one);
    await until(one, (state) => state === "T" || ENDED.has(state)).catch(() => {
      throw new Error(`process ${one} did not stay frozen: it went on at once`);
    });
  };
  try {
    await stop(pid);
    // A process that stands still starts no more.
    if (children) for (const child of childrenOf(pid)) await stop(child).catch(ignoreEnded);
    await sleep(seconds * 1_000);
    const states = new Map(frozen.map((one) => [one, processState(one)?.state]));
    const moving = frozen.filter((one) => states.get(one) !== "T" && !ENDED.has(states.get(one)));
    if (moving.length > 0 || states.get(pid) !== "T") {
      throw new Error(`process ${pid} did not stay frozen for ${seconds} s (${moving.join(", ")})`);
    }
  } finally {
    for (const one of frozen.reverse()) {
      try {
        process.kill(one, "SIGCONT");
      } catch (error) {
        ignoreEnded(error);
      }
    }
  }
  await until(pid, (state) => state !== "T");
}

async function until(pid: number, is: (state: string | undefined) => boolean): Promise<void> {
  for (let tries = 0; !is(processState(pid)?.state); tries++) {
    if (tries === MOST_TRIES) throw new Error(`process ${pid} is ${processState(pid)?.state}`);
    await sleep(PAUSE_MS);
  }
}

function ignoreEnded(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
}
