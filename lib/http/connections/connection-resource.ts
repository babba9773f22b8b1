import { isoTime } from "@/lib/base/clock";
import { redirectDestination } from "./redirect-uri";

/** The fields of a connection that may be shown. */
export interface ConnectionRecord {
  id: string;
  /** Without `@`. */
  agentHandle: string;
  application: string;
  redirectUri: string;
  scopes: readonly string[];
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** When the application exchanged its code; null if it has not yet. */
  fetchedAt: Date | null;
}

/** A connection as the session API lists it. */
export interface ConnectionResource {
  connection_id: string;
  agent: string;
  application: string;
  redirect_host: string;
  scopes: string[];
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
}

/** Serializes a connection. */
export function toConnectionResource(record: ConnectionRecord): ConnectionResource {
  return {
    connection_id: record.id,
    agent: `@${record.agentHandle}`,
    application: record.application,
    redirect_host: redirectDestination(record.redirectUri).host,
    scopes: [...record.scopes],
    created_at: isoTime(record.createdAt),
    expires_at: isoTime(record.expiresAt),
    revoked_at: record.revokedAt && isoTime(record.revokedAt),
    last_used_at: record.lastUsedAt && isoTime(record.lastUsedAt),
  };
}
