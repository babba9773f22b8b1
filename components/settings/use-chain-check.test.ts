import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { auditEntries } from "@/test/accounts/audit-entries";
import { beginAgain, checkWhole } from "./use-chain-check";

const CHAIN = { accountId: "acct_1", chainId: 46630 };
const noted = new Map<string, string>();
const note = () => JSON.parse([...noted.values()][0] ?? "null") as { position: number } | null;

beforeEach(() => {
  noted.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => noted.get(name) ?? null,
    setItem: (name: string, value: string) => noted.set(name, value),
    removeItem: (name: string) => noted.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** A log, newest first, that the service says is kept from the given position on. */
const log = (length: number, keptFrom = 1, clientAddress?: string) => ({
  entries: auditEntries(CHAIN, length, clientAddress).filter(({ position }) => position >= keptFrom),
  keptFrom,
});

describe("the check of the whole log in a browser that noted its fifth entry", () => {
  beforeEach(async () => {
    expect(await checkWhole(CHAIN, log(5))).toMatchObject({ broken: [], note: undefined });
    expect(note()?.position).toBe(5);
  });

  it.each([1, 3, 5, 6])("holds where the log is kept from entry %i", async (keptFrom) => {
    expect(await checkWhole(CHAIN, log(8, keptFrom))).toMatchObject({ broken: [], note: "held" });
    expect(note()?.position).toBe(8);
  });

  it.each([1, 3, 5, 6])("finds a log that was written again, also where it begins at entry %i", async (keptFrom) => {
    const { broken, note: held } = await checkWhole(CHAIN, log(8, keptFrom, "192.0.2.9"));
    expect(broken).toMatchObject([{ position: 5, problem: "is not what this browser saw before" }]);
    expect([held, note()?.position]).toEqual(["contradicted", 5]);
  });

  it.each([7, 8])(
    "says that it could not compare where the log begins at entry %i, and keeps its note",
    async (from) => {
      expect(await checkWhole(CHAIN, log(8, from))).toMatchObject({ broken: [], note: "left" });
      expect(note()?.position).toBe(5);
    },
  );

  it.each([7, 8])("compares from entry %i on once a person has given the old note up", async (from) => {
    const cut = log(8, from);
    expect(await checkWhole(CHAIN, cut)).toMatchObject({ note: "left" });
    beginAgain(CHAIN);
    // Compared with nothing: it does not say that it still holds what was noted.
    expect(await checkWhole(CHAIN, cut)).toMatchObject({ broken: [], note: undefined });
    expect(note()?.position).toBe(8);
    expect(await checkWhole(CHAIN, log(9, from))).toMatchObject({ broken: [], note: "held" });
    const { broken } = await checkWhole(CHAIN, log(10, from, "192.0.2.9"));
    expect(broken).toMatchObject([{ position: 9, problem: "is not what this browser saw before" }]);
  });

  it("begins again where nothing is left of the log", async () => {
    beginAgain(CHAIN);
    expect(await checkWhole(CHAIN, log(5, 6))).toMatchObject({ broken: [], note: undefined });
    expect(note()).toBeNull();
    expect(await checkWhole(CHAIN, log(7, 6))).toMatchObject({ broken: [], note: undefined });
    expect(note()?.position).toBe(7);
  });

  it("compares no note with a log whose entries have all left", async () => {
    expect(await checkWhole(CHAIN, log(5, 6))).toMatchObject({ broken: [], note: "left" });
    expect(note()?.position).toBe(5);
  });

  it("compares an entry that was left behind, which shows nothing of those after it", async () => {
    const { entries } = log(8);
    const kept = (all: typeof entries) => all.filter(({ position }) => position === 5 || position > 6);
    expect(await checkWhole(CHAIN, { entries: kept(entries), keptFrom: 7 })).toMatchObject({
      broken: [],
      note: "left",
    });
    const again = kept(log(8, 1, "192.0.2.9").entries);
    expect((await checkWhole(CHAIN, { entries: again, keptFrom: 7 })).broken).toMatchObject([{ position: 5 }]);
  });
});
