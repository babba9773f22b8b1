import { readdirSync, readFileSync } from "node:fs";

// USER_HZ: in this unit Linux reports times, whatever the kernel's own.
const MS_PER_TICK = 10;

interface Times {
  parent: number;
  own: number;
  /** Of children that have ended. */
  ended: number;
}

/** See proc(5), `/proc/[pid]/stat`; undefined for a process that is gone. */
function timesOf(pid: number | string): Times | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name may hold anything, spaces included; it ends with the last parenthesis.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (i) => fields[i],
    );
    return { parent, own: (user + system) * MS_PER_TICK, ended: (endedUser + endedSystem) * MS_PER_TICK };
  } catch {
    return undefined;
  }
}

/** CPU that processes and their children have used so far, in milliseconds: what a busy machine does not change. */
export function cpuMs(...pids: number[]): number {
  let sum = 0;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const times = timesOf(entry);
    if (!times) continue;
    if (pids.includes(Number(entry))) sum += times.own + times.ended;
    else if (pids.includes(times.parent)) sum += times.own;
  }
  return sum;
}
