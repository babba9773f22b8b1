import { sha256 } from "@noble/hashes/sha2.js";
import type { Hex } from "viem";
import { isoTime } from "@/lib/base/clock";
import { toHex, utf8 } from "@/lib/ledger/crypto/bytes";

/** One entry of the audit log, without its own hash. */
export interface AuditEntry {
  id: string;
  rootId: string;
  chainId: number;
  position: number;
  actorType: "key" | "session" | "agent" | "system";
  actorId: string | null;
  clientAddress: string | null;
  action: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  createdAt: Date;
  previousHash: Hex;
}

/** The `previousHash` of the first entry of a chain. */
export const FIRST_HASH: Hex = `0x${"00".repeat(32)}`;

/**
 * Returns the SHA-256 over every field of the entry in one canonical form: JSON with sorted keys (RFC 8785, as far as
 * these values need it). Owners also run it in the browser to recompute their own chain.
 */
export function hashEntry(entry: AuditEntry): Hex {
  const { id, rootId, chainId, position, actorType, actorId, clientAddress, action, target, before, after } = entry;
  const text = canonicalJson({
    ...{ id, rootId, chainId, position, actorType, actorId, clientAddress, action, target, before, after },
    createdAt: isoTime(entry.createdAt),
    previousHash: entry.previousHash,
  } satisfies Record<keyof AuditEntry, unknown>);
  return toHex(sha256(utf8(text)));
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${pairs.join(",")}}`;
}
