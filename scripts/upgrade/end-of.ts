import type { ChildProcess } from "node:child_process";
import { sleep } from "../stack/processes";

const LOOK_MS = 100;
/** How often to look whether a process has ended: for about five minutes. It promises to end within 32 seconds. */
const LOOKS = 3_000;

/**
 * Returns how a process ended: its exit code, or the signal that ended it. One that still runs after all looks is
 * killed, so that whatever comes next can begin, and the result says so.
 */
export async function endOf(child: ChildProcess, name: string, looks = LOOKS): Promise<number | string | null> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  for (let look = 0; look < looks && !hasEnded(); look += 1) await sleep(LOOK_MS);
  if (hasEnded()) return child.exitCode ?? child.signalCode;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  return `SIGKILL, because ${name} still ran when it had been looked at ${looks} times`;
}
