import { readdirSync, readFileSync } from "node:fs";

// USER_HZ: Linux reports process times in this unit, whatever the kernel uses internally.
const MS_PER_TICK = 10;

interface Times {
  parent: number;
  own: number;
  /** CPU time of children that have ended. */
  ended: number;
}

/** Reads the CPU times of a process (see proc(5), `/proc/[pid]/stat`); undefined for a process that has ended. */
function timesOf(pid: number | string): Times | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The process name may contain anything, even spaces and parentheses. It ends with the last parenthesis.
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

/**
 * Returns the CPU time that processes and their children have used so far, in milliseconds. Other load on the machine
 * doesn't affect it.
 */
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

/** CPU that one process and its threads have used so far, in milliseconds, to the nanosecond (Linux, /proc/[pid]/schedstat). */
export function exactCpuMs(pid: number): number {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  }
  return sum;
}
