import { describe, expect, it } from "vitest";
import { auditEntries } from "@/test/accounts/audit-entries";
import type { AuditEntryView } from "./audit-resource";
import { checkEntries } from "./check-entries";
import { hashEntry } from "./hash-entry";

const CHAIN = { accountId: "acct_1", chainId: 46630 };

const chain = (length: number) => auditEntries(CHAIN, length);

const changed = (entries: AuditEntryView[], index: number, part: Partial<AuditEntryView>) =>
  entries.map((entry, at) => (at === index ? { ...entry, ...part } : entry));

describe("the check of shown entries", () => {
  it("passes over a whole chain, a part of one and a filtered list", () => {
    const entries = chain(6);
    expect(checkEntries(CHAIN, entries, "whole")).toEqual({ verified: 6, broken: [] });
    expect(checkEntries(CHAIN, entries.slice(1, 4), "part")).toEqual({ verified: 3, broken: [] });
    expect(checkEntries(CHAIN, [entries[0], entries[3], entries[4]] as AuditEntryView[], "filtered").broken).toEqual(
      [],
    );
    expect(checkEntries(CHAIN, [], "whole")).toEqual({ verified: 0, broken: [] });
    expect(checkEntries(CHAIN, entries.slice(0, 4), "whole", 3)).toEqual({ verified: 4, broken: [] });
    expect(checkEntries(CHAIN, entries.slice(0, 3), "whole", 3).broken).toMatchObject([{ position: 3 }]);
  });

  it("misses nothing around entries that were left behind when their neighbours left", () => {
    const kept = chain(9).filter(({ position }) => [3, 5, 8, 9].includes(position));
    expect(checkEntries(CHAIN, kept, "whole", 8)).toEqual({ verified: 4, broken: [] });
    expect(checkEntries(CHAIN, kept, "part", 8)).toEqual({ verified: 4, broken: [] });
    expect(checkEntries(CHAIN, kept, "whole", 7).broken).toEqual([{ id: null, position: 7, problem: "is missing" }]);
    expect(checkEntries(CHAIN, changed(kept, 2, { target: "x" }), "whole", 8).broken).toMatchObject([{ position: 5 }]);
  });

  it.each<Partial<AuditEntryView>>([
    { id: "aud_x" },
    { actor: { type: "session", id: "key_1" } },
    { actor: { type: "key", id: null } },
    { client_address: null },
    { action: "agent.paused" },
    { target: "pol_x" },
    { before: null },
    { after: { daily_limit: 250.000001 } },
    { created_at: "2026-11-03T09:00:00.004Z" },
    { hash: `0x${"11".repeat(32)}` },
  ])("names an entry that was changed: %o", (part) => {
    const { broken, verified } = checkEntries(CHAIN, changed(chain(5), 2, part), "whole");
    expect(verified).toBe(4);
    expect(broken).toContainEqual({ id: part.id ?? "aud_3", position: 3, problem: "was changed" });
  });

  it("names the entry after one that was written again with its hash", () => {
    const [fifth, , ...older] = chain(5);
    const forged = { ...(chain(5)[1] as AuditEntryView), client_address: null };
    const { hash: _, ...rest } = forged;
    const hash = hashEntry({
      ...{ id: rest.id, action: rest.action, target: rest.target, before: rest.before, after: rest.after },
      ...{ rootId: CHAIN.accountId, chainId: CHAIN.chainId, position: rest.position, clientAddress: null },
      ...{ actorType: "key", actorId: "key_1", createdAt: new Date(rest.created_at), previousHash: rest.previous_hash },
    });
    const { broken } = checkEntries(CHAIN, [fifth as AuditEntryView, { ...forged, hash }, ...older], "part");
    expect(broken).toEqual([{ id: "aud_5", position: 5, problem: "does not follow the entry before it" }]);
  });

  it("names a place whose entry is missing, and a beginning that was cut off", () => {
    const entries = chain(5);
    const without = entries.filter(({ position }) => position !== 3);
    expect(checkEntries(CHAIN, without, "part").broken).toEqual([{ id: null, position: 3, problem: "is missing" }]);
    expect(checkEntries(CHAIN, entries.slice(0, 3), "whole").broken).toEqual([
      { id: null, position: 2, problem: "is missing" },
    ]);
  });

  it("knows another account's or network's entries by their hash", () => {
    const entries = chain(2);
    expect(checkEntries({ ...CHAIN, accountId: "acct_2" }, entries, "whole").verified).toBe(0);
    expect(checkEntries({ ...CHAIN, chainId: 4663 }, entries, "whole").verified).toBe(0);
  });

  it("notices an order that is not the chain's", () => {
    const [a, b] = chain(2) as [AuditEntryView, AuditEntryView];
    expect(checkEntries(CHAIN, [b, a], "part").broken).toMatchObject([{ id: "aud_2", problem: "is out of order" }]);
  });
});
