import { describe, expect, it, vi } from "vitest";
import { ID_PREFIX, idTime, isId, newId } from "@/lib/base/ids";

describe("ids", () => {
  it("sort in the order they were made", () => {
    const created = Array.from({ length: 1_000 }, () => newId("transfer"));
    expect([...created].sort()).toEqual(created);
    expect(new Set(created).size).toBe(created.length);
  });

  it("sort in the order they were made also after a clock was corrected by a moment", () => {
    const before = newId("event");
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 59_000);
    const after = newId("event");
    clock.mockRestore();
    expect(after > before).toBe(true);
  });

  it("have their own time after a clock that was a day ahead was set right: lists look for them there", () => {
    const now = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(now + 24 * 3_600_000);
    const ahead = newId("event");
    clock.mockReturnValue(now);
    const created = Array.from({ length: 100 }, () => newId("event"));
    clock.mockRestore();
    expect(idTime("event", ahead)).toBe(now + 24 * 3_600_000);
    expect(created.map((id) => idTime("event", id))).toEqual(created.map(() => now));
    expect([...created].sort()).toEqual(created);
  });

  it.each(["view", "paymentRequest"] as const)("of a %s are not told by ids made beside it", (kind) => {
    const randomPart = (id: string) => id.slice(-16);
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
    const created = Array.from({ length: 50 }, () => [newId("request"), newId(kind), newId(kind)]).flat();
    clock.mockRestore();
    const ofKind = created.filter((id) => isId(kind, id));
    // Ids that count up from one another share all but the end of their random part. 40 random bits never agree.
    for (const id of ofKind) {
      const near = created.filter((other) => randomPart(other).slice(0, 8) === randomPart(id).slice(0, 8));
      expect(near).toEqual([id]);
    }
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
