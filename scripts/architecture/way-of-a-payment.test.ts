import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countWay, tableOf, uncalled, WAY } from "./way-of-a-payment";

const read = (file: string) => readFileSync(file, "utf8");

describe("the way of a payment", () => {
  it("is what the code calls: every step is called by an earlier one", () => {
    expect(uncalled(WAY, read)).toEqual([]);
  });

  it("finds a step that is not called", () => {
    const [first, ...others] = WAY;
    if (!first) expect.unreachable();
    const longer = [{ ...first, steps: [...first.steps, ["lib/base/clock.ts", "isoTime"] as const] }, ...others];
    expect(uncalled(longer, read)).toEqual(["lib/base/clock.ts isoTime"]);
  });

  it("is counted and listed in docs/figures.md", () => {
    const { files, names, folders, rooms, returns } = countWay(WAY);
    const figures = read("docs/figures.md");
    expect(figures).toContain(tableOf(WAY));
    expect(figures.replaceAll("\n", " ")).toContain(
      `${files} files, ${names} names, ${folders} folders, ${rooms} rooms, ${returns} return`,
    );
  });

  it("passes few rooms, and comes back to one alone: the payments, which settle what they recorded", () => {
    expect(countWay(WAY)).toMatchObject({ rooms: 5, returns: 1 });
  });

  it("is short: at most 12 folders and 20 names, and no room twice before the chain", () => {
    const { names, folders } = countWay(WAY);
    expect(folders).toBeLessThanOrEqual(12);
    expect(names).toBeLessThanOrEqual(20);
    const fromTheChain = WAY.findIndex(({ name }) => name === "from the chain");
    expect(countWay(WAY.slice(0, fromTheChain)).returns).toBe(0);
  });
});
