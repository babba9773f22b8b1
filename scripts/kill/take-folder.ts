import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StackError } from "../stack/config";
import { readIfThere, removeFolder } from "../stack/files";
import { endStalePostgres } from "../stack/postgres";
import { commandLine, endLeftovers, endProcess, isOurs, recordedPid } from "../stack/processes";

const GRACE_MS = 60_000;

/**
 * Takes a data folder for a run of this process alone, ends what a killed run left running there, and empties it.
 *
 * @returns gives it back; the end of this process does too
 * @throws StackError while another run has it
 */
export async function takeFolder(data: string): Promise<() => void> {
  const release = claim(data);
  try {
    // Before the processes that it would start again.
    const supervisor = recordedPid(data, "supervisor");
    if (supervisor && isOurs(supervisor, data)) await endProcess(supervisor, data, "SIGTERM", GRACE_MS);
    await endLeftovers(data);
    await endStalePostgres(data);
    removeFolder(data);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** A run has a file named by its pid, with its command line: pids are used again. */
function claim(data: string): () => void {
  const runs = `${data}.runs`;
  mkdirSync(runs, { recursive: true });
  const own = path.join(runs, String(process.pid));
  const release = () => rmSync(own, { force: true });
  // Written before looking for others: of two that start at once, at least one sees the other.
  writeFileSync(own, commandLine(process.pid) ?? "");
  for (const name of readdirSync(runs)) {
    const file = path.join(runs, name);
    if (file === own) continue;
    // The run may have just ended.
    const said = readIfThere(file);
    if (said !== undefined && isOurs(Number(name), said)) {
      release();
      throw new StackError(
        `Another run uses ${data} (process ${name}). Wait until it has ended, or use another clone.`,
      );
    }
    rmSync(file, { force: true });
  }
  return release;
}
