import type { RequestDetails } from "@/sdk/payments/requests/verify-request";

/**
 * What this browser knows of a request's content. `failed` says nothing about the request: the chain or the service did
 * not respond. `unreadable` is about the request itself, whose link then works for no one.
 */
type ReadState = "encrypted" | "decrypting" | "failed" | "unreadable" | "read";

/** What decrypting a request has returned so far. */
interface Tried {
  /** Whether the vault is locked. */
  encrypted: boolean;
  /** Undefined until the request is decrypted and checked with the chain. */
  opened: { details: RequestDetails | null } | undefined;
  error: Error | null;
}

/** Returns what is known of a request's content. */
export function readStateOf({ encrypted, opened, error }: Tried): ReadState {
  if (encrypted) return "encrypted";
  if (opened) return opened.details === null ? "unreadable" : "read";
  return error ? "failed" : "decrypting";
}
