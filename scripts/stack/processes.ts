import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { privateFolder, writeFileDurably } from "./files";

const DISK_FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Waits, for back-off and polling. */
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Returns the command line of a running process; undefined if there is no such process. */
export function commandLine(pid: number): string | undefined {
  try {
    if (existsSync("/proc/self/cmdline")) {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") || undefined;
    }
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reports whether a process is alive and its command line contains `mark`. Pids are reused, so a pid alone proves
 * nothing.
 */
export function isOurs(pid: number, mark: string): boolean {
  return commandLine(pid)?.includes(mark) ?? false;
}

const runFolder = (data: string) => path.join(data, "run");
const pidFile = (data: string, name: string) => path.join(runFolder(data), `${name}.pid`);

/**
 * Records a process, so that the next start can end it if this supervisor is killed. If the disk is full, the process
 * runs without a record.
 */
export function recordPid(data: string, name: string, pid: number): void {
  try {
    privateFolder(runFolder(data));
    writeFileDurably(pidFile(data, name), `${pid}\n`, 0o600);
  } catch (error) {
    if (!DISK_FULL.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

export function forgetPid(data: string, name: string): void {
  rmSync(pidFile(data, name), { force: true });
}

export function recordedPid(data: string, name: string): number | undefined {
  const file = pidFile(data, name);
  return existsSync(file) ? Number(readFileSync(file, "utf8")) || undefined : undefined;
}

interface ProcessState {
  /** One letter: `R` runs, `S` waits, `T` is stopped, `Z` has ended. */
  state: string;
  parent: number;
}

/** Returns what Linux says of a process; undefined if there is no such process. */
export function processState(pid: number): ProcessState | undefined {
  try {
    const [, state = "", parent] = /^.*\) (\w) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** Reports whether a process has ended but still has its pid, because its parent has not read its exit status. */
export const isZombie = (pid: number): boolean => processState(pid)?.state === "Z";

/** Returns the processes that a process has started itself. */
export function childrenOf(pid: number): number[] {
  const all = readdirSync("/proc").map(Number).filter(Boolean);
  return all.filter((one) => processState(one)?.parent === pid);
}

/** Ends a process with `signal`, or with SIGKILL after `graceMs`. Resolves when it is gone. */
export async function endProcess(pid: number, mark: string, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  const send = (name: NodeJS.Signals) => {
    try {
      process.kill(pid, name);
    } catch {
      // It has already ended.
    }
  };
  send(signal);
  const patience = Date.now() + graceMs;
  while (isOurs(pid, mark)) {
    if (Date.now() > patience) send("SIGKILL");
    await sleep(20);
  }
}

/**
 * Ends the processes that a killed supervisor left running: every recorded process that is alive and has this data
 * folder in its command line. PostgreSQL is stopped separately (postgres.ts).
 */
export async function endLeftovers(data: string): Promise<string[]> {
  if (!existsSync(runFolder(data))) return [];
  const ended: string[] = [];
  for (const entry of readdirSync(runFolder(data))) {
    const name = entry.replace(/\.pid$/, "");
    if (name === entry || name === "supervisor" || name === "postgres") continue;
    const pid = recordedPid(data, name);
    if (pid && isOurs(pid, data)) {
      await endProcess(pid, data, "SIGTERM", 5_000);
      ended.push(name);
    }
    forgetPid(data, name);
  }
  return ended;
}
