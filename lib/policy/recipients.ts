import { isAddress } from "viem";
import { isDomainHandle, normaliseAgentHandle, normaliseHandle } from "@/lib/handle";

/** Whom a payment reaches, once its `to` is resolved. */
export interface PolicyRecipient {
  /** Without `@`, lower case, `owner/name` for an agent; null for an address without an account. */
  handle: string | null;
  /** Lower case. */
  address: string;
}

/**
 * An entry of `allowed_recipients` as it is stored; null when the text is none. A handle with or without `@`, an
 * address (EIP-55 checked when in both cases), `*`, or `*.` and a domain of at least two labels.
 *
 * @example normaliseRecipient("Alice/Bot") // "@alice/bot"
 */
export function normaliseRecipient(text: string): string | null {
  if (text === "*") return text;
  if (text.startsWith("*.")) {
    // Some handle must be able to match, and the domain alone be one.
    const handle = normaliseHandle(`x${text.slice(1)}`);
    return handle !== null && isDomainHandle(handle.slice(2)) ? `*${handle.slice(1)}` : null;
  }
  // Without its @ this is an address, or a mistyped one that must not become someone's handle.
  if (/^0x/i.test(text)) return isRightAddress(text) ? text.toLowerCase() : null;
  const handle = text.includes("/") ? normaliseAgentHandle(text) : normaliseHandle(text);
  return handle === null ? null : `@${handle}`;
}

function isRightAddress(text: string): boolean {
  // Written in one case an address carries no checksum (EIP-55).
  return /^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(text) || isAddress(text);
}

/** Whether an entry names recipients by pattern: the ledger can't check such a one. */
export function isPattern(entry: string): boolean {
  return entry.startsWith("*");
}

/** Whether one of the entries, as stored, names the recipient by its handle or its address. */
export function allowsRecipient(allowed: readonly string[], recipient: PolicyRecipient): boolean {
  const { handle, address } = recipient;
  // A wildcard speaks of handles of a domain; its holders' agents are others.
  const domainHandle = handle?.includes("/") ? null : handle;
  const name = handle === null ? null : `@${handle}`;
  return allowed.some((entry) => {
    if (entry === "*" || entry === address || entry === name) return true;
    return entry.startsWith("*.") && (domainHandle?.endsWith(entry.slice(1)) ?? false);
  });
}
