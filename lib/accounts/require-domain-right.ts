import { Resolver } from "node:dns/promises";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";

const TIMEOUT_MS = 3_000;

/** Reads the TXT records of a name; an empty list when it has none. */
type ReadTxt = (name: string) => Promise<string[][]>;

const readTxt: ReadTxt = async (name) => {
  try {
    return await new Resolver({ timeout: TIMEOUT_MS, tries: 2 }).resolveTxt(name);
  } catch {
    return [];
  }
};

/**
 * Lets a domain handle be registered only by anyone who controls the domain: TXT `_halcyon.<domain>` holds the
 * account's id. The local stack takes names under the reserved `.test` (RFC 6761) from anyone.
 *
 * @throws ApiError `invalid_request` naming the record to set
 */
export async function requireDomainRight(handle: string, accountId: string, read: ReadTxt = readTxt): Promise<void> {
  if (handle.endsWith(".test") && env().chains.test.local) return;
  const records = await read(`_halcyon.${handle}`);
  if (records.some((parts) => parts.join("").trim() === accountId)) return;
  throw new ApiError(
    "invalid_request",
    `Show that the domain is yours: set the DNS record _halcyon.${handle} TXT "${accountId}", then try again.`,
    { param: "handle" },
  );
}
