/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** A change and who made it, linked to the entry before it by a hash. */
export interface AuditEntry {
  /** Identifies the entry. */
  id: string;
  /** Number of the entry in the account's log on this network, from 1 without gaps. */
  position: number;
  /** Who acted. */
  actor: {
    /**
     * `key`: an API key of the account. `session`: its owner, signed in with the wallet. `agent`: an API key of an
     * agent. `system`: Halcyon itself.
     */
    type: "key" | "session" | "agent" | "system";
    /** Id of the API key or session; null when Halcyon itself acted. */
    id: string | null;
    /** The key's label, or the handle of the key's agent. */
    label?: string;
  };
  /** What happened. */
  action: string;
  /** Id of the object that was changed. */
  target: string;
  /** The changed fields before; null for a new object. */
  before: Record<string, unknown> | null;
  /** The changed fields after; null for a deleted object. */
  after: Record<string, unknown> | null;
  /** The IP address the request came from. */
  client_address: string | null;
  /** When it happened. */
  created_at: string;
  /** SHA-256 over the account, the network, the previous hash and every other field except labels. */
  hash: `0x${string}`;
  /** The hash of the entry before this one. */
  previous_hash: `0x${string}`;
}

/** Entries of the audit log, newest first. */
export interface AuditList {
  /** The entries of this page. */
  entries: AuditEntry[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
  /** Position of the oldest entry that is kept, for a check of the whole chain; 1 until a month is removed. */
  kept_from: number;
}
