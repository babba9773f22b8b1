import type { AuditEntryView } from "./audit-resource";
import { FIRST_HASH, hashEntry } from "./hash-entry";

/** Identifies a chain of hashes. */
export interface AuditChain {
  /** Id of the owner's account. */
  accountId: string;
  chainId: number;
}

/** An entry that breaks the chain. */
export interface BrokenEntry {
  /** Null if the entry is missing. */
  id: string | null;
  position: number;
  /** The rest of a sentence whose subject is the entry. */
  problem: string;
}

/** The result of {@link checkEntries}. */
export interface CheckedEntries {
  /** Number of entries whose recomputed hash is right. */
  verified: number;
  /** Newest first. */
  broken: BrokenEntry[];
}

/** Recomputes an entry's hash from the fields that are shown. */
function recomputed({ accountId, chainId }: AuditChain, entry: AuditEntryView): string {
  return hashEntry({
    id: entry.id,
    rootId: accountId,
    chainId,
    position: entry.position,
    actorType: entry.actor.type,
    actorId: entry.actor.id,
    clientAddress: entry.client_address,
    action: entry.action,
    target: entry.target,
    before: entry.before,
    after: entry.after,
    createdAt: new Date(entry.created_at),
    previousHash: entry.previous_hash,
  });
}

/**
 * Returns what is wrong between an entry and the older one listed below it. From position `keptFrom` on, none may be
 * missing.
 */
function brokenLink(entry: AuditEntryView, older: AuditEntryView, keptFrom: number): BrokenEntry | undefined {
  const distance = entry.position - older.position;
  if (distance < 1) return { id: older.id, position: older.position, problem: "is out of order" };
  if (distance > 1) {
    return entry.position > keptFrom ? { id: null, position: entry.position - 1, problem: "is missing" } : undefined;
  }
  if (entry.previous_hash === older.hash) return undefined;
  return { id: entry.id, position: entry.position, problem: "does not follow the entry before it" };
}

/**
 * Recomputes the hashes of entries and checks that each follows the one before it
 * (docs/design/database.md). It runs in the owner's browser, so that the owner need not trust the service.
 *
 * @param entries newest first
 * @param extent `part` of a chain without gaps, `filtered` with gaps, or the `whole` chain back to its first entry
 * @param keptFrom position of the first entry that must still exist. Earlier entries were deleted with their month,
 *   except for single ones that are stored in a later month
 */
export function checkEntries(
  chain: AuditChain,
  entries: readonly AuditEntryView[],
  extent: "part" | "filtered" | "whole",
  keptFrom = 1,
): CheckedEntries {
  const broken: BrokenEntry[] = [];
  let verified = 0;
  entries.forEach((entry, index) => {
    const { id, position } = entry;
    if (recomputed(chain, entry) === entry.hash) verified += 1;
    else broken.push({ id, position, problem: "was changed" });
    const older = entries[index + 1];
    const link = older && brokenLink(entry, older, extent === "filtered" ? Number.POSITIVE_INFINITY : keptFrom);
    if (link) broken.push(link);
  });
  const first = entries.findLast(({ position }) => position >= keptFrom);
  if (extent === "whole" && first) {
    const { id, position } = first;
    if (position > keptFrom && first === entries.at(-1))
      broken.push({ id: null, position: position - 1, problem: "is missing" });
    else if (position === 1 && first.previous_hash !== FIRST_HASH)
      broken.push({ id, position, problem: "is not the first of its chain" });
  }
  return { verified, broken };
}
