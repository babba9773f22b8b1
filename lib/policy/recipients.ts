import { isAddress } from "viem";
import { isDomainHandle, normaliseAgentHandle, normaliseHandle } from "@/lib/base/handle";

/** The recipient of a payment, once its `to` is resolved. */
export interface PolicyRecipient {
  /** Without `@`, lower case, `owner/name` for an agent; null for an address without an account. */
  handle: string | null;
  /** Lower case. */
  address: string;
}

/**
 * Normalizes an entry of `allowed_recipients` for storage; returns null if it is not one. Entries are a handle with or
 * without `@`, an address (its EIP-55 checksum is verified if it mixes cases), `*`, or `*.` and a domain of at least
 * two labels.
 *
 * @example normaliseRecipient("Alice/Bot") // "@alice/bot"
 */
export function normaliseRecipient(text: string): string | null {
  if (text === "*") return text;
  if (text.startsWith("*.")) {
    // The pattern must be able to match some handle, and its domain must be a domain handle itself.
    const handle = normaliseHandle(`x${text.slice(1)}`);
    return handle !== null && isDomainHandle(handle.slice(2)) ? `*${handle.slice(1)}` : null;
  }
  // Text that starts with 0x is an address. A mistyped address must not be taken for a handle.
  if (/^0x/i.test(text)) return isRightAddress(text) ? text.toLowerCase() : null;
  const handle = text.includes("/") ? normaliseAgentHandle(text) : normaliseHandle(text);
  return handle === null ? null : `@${handle}`;
}

function isRightAddress(text: string): boolean {
  // An address written in a single case carries no checksum (EIP-55).
  return /^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(text) || isAddress(text);
}

/** Reports whether an entry names recipients by pattern, which the ledger can't check. */
export function isPattern(entry: string): boolean {
  return entry.startsWith("*");
}

/** Reports whether one of the stored entries names the recipient, by handle or address. */
export function allowsRecipient(allowed: readonly string[], recipient: PolicyRecipient): boolean {
  const { handle, address } = recipient;
  // A wildcard matches handles of a domain, but not the agents of their holders.
  const domainHandle = handle?.includes("/") ? null : handle;
  const name = handle === null ? null : `@${handle}`;
  return allowed.some((entry) => {
    if (entry === "*" || entry === address || entry === name) return true;
    return entry.startsWith("*.") && (domainHandle?.endsWith(entry.slice(1)) ?? false);
  });
}
