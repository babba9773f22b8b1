import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, whatever its kernel's own tick (proc_pid_stat(5), sysconf(3)). */
const TICKS = 100;

/**
 * Returns the CPU seconds of this process and of all its descendants that have ended; null on systems other than
 * Linux, where only a parent's own time can be read. See proc_pid_stat(5): utime, stime, cutime, cstime.
 */
export function cpuSeconds(): number | null {
  if (process.platform !== "linux") return null;
  const text = readFileSync("/proc/self/stat", "utf8");
  // A program's name may contain spaces and brackets. The field after it is the third.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
