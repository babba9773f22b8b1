import { isoTime } from "@/lib/base/clock";
import type { KeyScope } from "@/lib/base/key-scopes";

/** The fields of an API key that may be shown. */
export interface ApiKeyRecord {
  id: string;
  /** Handle of the agent that the key belongs to, without `@`; null if it belongs to the account itself. */
  agentHandle: string | null;
  /** `blind`: it pays only what its home key, which the service never sees, has built. */
  kind: "plain" | "blind";
  label: string;
  prefix: string;
  lastFour: string;
  /** Scopes to which the key is narrowed; null if it can do everything the API offers. */
  scopes: readonly KeyScope[] | null;
  /** Address ranges from which the key works; null for any address. */
  allowedIps: readonly string[] | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** Number of requests so far. Up to a minute behind. */
  requests: number;
}

/** Serializes a new key as the session API returns it. */
export function toKeyResource(key: ApiKeyRecord) {
  return {
    key_id: key.id,
    agent: key.agentHandle && `@${key.agentHandle}`,
    kind: key.kind,
    label: key.label,
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    allowed_ips: key.allowedIps,
    created_at: isoTime(key.createdAt),
    expires_at: key.expiresAt && isoTime(key.expiresAt),
  };
}

/** Serializes a key as the session API lists it, with its use. */
export function toKeyEntry(key: ApiKeyRecord) {
  return {
    ...toKeyResource(key),
    last_used_at: key.lastUsedAt && isoTime(key.lastUsedAt),
    revoked_at: key.revokedAt && isoTime(key.revokedAt),
    requests: key.requests,
  };
}
