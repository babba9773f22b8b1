import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Halcyon } from "@/sdk/client";

const VARIABLE = "HALCYON_LENT_ACCOUNTS";

/** Playwright's global set-up: a folder of the accounts that no test uses at the moment, for all workers of the run. */
export default function lentAccounts(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "halcyon-lent-"));
  process.env[VARIABLE] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** An account, or several that belong together, which is one test's until it is given back. */
export interface Lent<T> {
  account: T;
  /** Lends it to later tests. Not for a test that failed: who knows how it left it. */
  giveBack(): void;
}

/**
 * Lends an account that a test has given back, or makes one if there is none: so a run makes only as many of a kind as
 * its tests use at once. Tests of one kind find what earlier ones left, in any order.
 *
 * @param kind a word for what the account is like
 * @param revive completes what was stored: everything but clients and functions
 */
export async function lend<T>(kind: string, make: () => Promise<T>, revive: (stored: T) => T): Promise<Lent<T>> {
  const folder = path.join(process.env[VARIABLE] ?? "", kind);
  const [free, taken] = [path.join(folder, "free"), path.join(folder, "taken")];
  for (const each of [free, taken]) mkdirSync(each, { recursive: true });
  for (const name of readdirSync(free).sort()) {
    const mine = path.join(taken, name);
    if (!moved(path.join(free, name), mine)) continue;
    const stored = JSON.parse(readFileSync(mine, "utf8")) as T;
    return { account: revive(stored), giveBack: () => renameSync(mine, path.join(free, name)) };
  }
  const account = await make();
  const name = `${process.pid}-${Date.now()}.json`;
  const mine = path.join(taken, name);
  const withoutClients = (_: string, value: unknown) => (value instanceof Halcyon ? undefined : value);
  writeFileSync(mine, JSON.stringify(account, withoutClients));
  return { account, giveBack: () => renameSync(mine, path.join(free, name)) };
}

/** Renames a file. Returns whether it was there: another worker may have been quicker. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
