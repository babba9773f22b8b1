import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { PreparedOwner } from "../accounts/prepared-owners";

/** Services with owners that have money, to be copied. */
export interface PreparedPeople {
  /** The database's name on the run's server. */
  database: string;
  /** The folder of both chains. */
  chains: string;
  owners: PreparedOwner[];
}

/** What describes them, in the folder in which a run prepares what its files copy. */
export const PEOPLE = "people.json";

/**
 * Vitest's global set-up: begins to prepare owners with money in a process of its own, for the processes that have yet
 * to start their services. Only where many files run, since each that is not taken was made in vain.
 */
export default function preparePeople(): (() => Promise<void>) | undefined {
  if (!process.env.HALCYON_TEST_MANY_FILES) return undefined;
  const script = "test/services/prepare-people.ts";
  const child = spawn(process.execPath, ["scripts/run.mjs", script], { stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(child, "close");
  return async () => {
    const [status] = await ended;
    if (status !== 0) throw new Error(`${script} ended with ${status}`);
  };
}

/** Returns the people, or undefined: until they are there, each file makes its own. */
export function preparedPeople(): PreparedPeople | undefined {
  const file = path.join(process.env.HALCYON_TEST_PREPARED ?? "", PEOPLE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as PreparedPeople) : undefined;
}
