import type { AuditEntryView } from "@/lib/events/audit/audit-resource";
import type { AuditChain } from "@/lib/events/audit/check-entries";
import { FIRST_HASH, hashEntry } from "@/lib/events/audit/hash-entry";

/** Returns a log's entries as the API shows them, newest first, for tests to check and to tamper with. */
export function auditEntries(chain: AuditChain, length: number, clientAddress = "192.0.2.7"): AuditEntryView[] {
  const entries: AuditEntryView[] = [];
  for (let position = 1; position <= length; position++) {
    const previous_hash = entries[0]?.hash ?? FIRST_HASH;
    const fields = {
      id: `aud_${position}`,
      action: "agent.policy.updated",
      target: `pol_${position}`,
      before: { daily_limit: 0.1, assets: ["USDG"] },
      after: position % 2 ? { daily_limit: 250, nested: { b: 1, a: "ü" } } : null,
    };
    const created_at = new Date(Date.UTC(2026, 10, position, 9, 0, 0, position)).toISOString();
    const hash = hashEntry({
      ...fields,
      rootId: chain.accountId,
      chainId: chain.chainId,
      position,
      actorType: "key",
      actorId: "key_1",
      clientAddress,
      createdAt: new Date(created_at),
      previousHash: previous_hash,
    });
    const actor = { type: "key" as const, id: "key_1", label: "Server" };
    const rest = { position, actor, client_address: clientAddress, created_at, hash, previous_hash };
    entries.unshift({ ...fields, ...rest });
  }
  return entries;
}
