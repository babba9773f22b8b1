import { createHash } from "node:crypto";
import type { Address } from "viem";
import type { Id } from "@/lib/base/ids";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns the account id that a wallet gets with a domain handle: `acct_` and a ULID-shaped SHA-256 of both. It is
 * derived rather than random because the domain's DNS record must name it before the account exists.
 */
export function domainAccountId(address: Address, handle: string): Id<"account"> {
  const hash = createHash("sha256").update(`halcyon account\n${address.toLowerCase()}\n${handle}`).digest("hex");
  let rest = BigInt(`0x${hash}`) >> 128n;
  let ulid = "";
  for (let i = 0; i < 26; i++) {
    ulid = CROCKFORD.charAt(Number(rest & 31n)) + ulid;
    rest >>= 5n;
  }
  return `acct_${ulid}`;
}
