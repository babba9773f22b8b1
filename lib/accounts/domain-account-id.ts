import { createHash } from "node:crypto";
import type { Address } from "viem";
import type { Id } from "@/lib/ids";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The account id a wallet gets with a domain handle. It follows from both, because the domain's DNS record has to
 * name it before the account exists: `acct_` and a ULID-shaped SHA-256 of the two.
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
