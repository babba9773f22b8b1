import { Resolver } from "node:dns/promises";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";

const TIMEOUT_MS = 3_000;

/** Returns the TXT records of a name, or an empty list if there are none. */
type ReadTxt = (name: string) => Promise<string[][]>;

const readTxt: ReadTxt = async (name) => {
  try {
    return await new Resolver({ timeout: TIMEOUT_MS, tries: 2 }).resolveTxt(name);
  } catch {
    return [];
  }
};

/**
 * Checks that the person who registers a domain handle controls the domain: the TXT record `_halcyon.<domain>` must
 * hold the account's id. The local stack accepts any name under the reserved `.test` (RFC 6761) without a check.
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
