import { describe, expect, it } from "vitest";
import { ID_PREFIX, isId, newId } from "@/lib/ids";

describe("ids", () => {
  it("sort in the order they were made", () => {
    const created = Array.from({ length: 1_000 }, () => newId("transfer"));
    expect([...created].sort()).toEqual(created);
    expect(new Set(created).size).toBe(created.length);
  });

  it("are recognised by prefix and ULID alone", () => {
    for (const kind of Object.keys(ID_PREFIX) as (keyof typeof ID_PREFIX)[]) {
      expect(isId(kind, newId(kind))).toBe(true);
      expect(isId(kind, `${ID_PREFIX[kind]}x`)).toBe(false);
      expect(isId(kind, newId(kind).toLowerCase())).toBe(false);
    }
    expect(isId("transfer", newId("account"))).toBe(false);
  });

  it("have prefixes that are not each other's beginning", () => {
    const prefixes = Object.values(ID_PREFIX);
    for (const a of prefixes) for (const b of prefixes) if (a !== b) expect(a.startsWith(b)).toBe(false);
  });
});
