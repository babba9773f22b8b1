import { isoTime } from "@/lib/clock";
import type { KeyScope } from "@/lib/key-scopes";

/** What may be shown of an API key. */
export interface ApiKeyRecord {
  id: string;
  /** Of the one agent the key belongs to, without `@`; null: the account itself. */
  agentHandle: string | null;
  label: string;
  prefix: string;
  lastFour: string;
  /** What it is narrowed to; null: everything the API offers. */
  scopes: readonly KeyScope[] | null;
  /** Ranges it works from; null: from anywhere. */
  allowedIps: readonly string[] | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** Requests so far, at most a minute late. */
  requests: number;
}

/** A key as the session API shows it, once created. */
export function toKeyResource(key: ApiKeyRecord) {
  return {
    key_id: key.id,
    agent: key.agentHandle && `@${key.agentHandle}`,
    label: key.label,
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    allowed_ips: key.allowedIps,
    created_at: isoTime(key.createdAt),
    expires_at: key.expiresAt && isoTime(key.expiresAt),
  };
}

/** A key as the session API lists it, with its use. */
export function toKeyEntry(key: ApiKeyRecord) {
  return {
    ...toKeyResource(key),
    last_used_at: key.lastUsedAt && isoTime(key.lastUsedAt),
    revoked_at: key.revokedAt && isoTime(key.revokedAt),
    requests: key.requests,
  };
}
