import { expect, test } from "vitest";
import { type PageInfo, paged } from "./paged";

/** A list, newest first, that grows while it is read. */
class Growing {
  reads = 0;
  constructor(private readonly ids: string[]) {}
  readonly list = {
    read: async ({ limit = 2, offset = 0 }: { limit?: number; offset?: number }) => {
      if (this.reads++ > 0) this.ids.unshift(`new${this.reads}`);
      const entries = this.ids.slice(offset, offset + limit);
      return { entries, limit, offset, has_more: this.ids.length > offset + limit };
    },
    entries: (page: PageInfo & { entries: string[] }) => page.entries,
    id: (entry: string) => entry,
  };
}

test("an awaited list is its first page, and reads no other", async () => {
  const growing = new Growing(["c", "b", "a"]);
  expect(await paged(growing.list, {})).toEqual({ entries: ["c", "b"], limit: 2, offset: 0, has_more: true });
  expect(growing.reads).toBe(1);
});

test("an iterated list gives every entry once, whatever comes in front of it meanwhile", async () => {
  const seen: string[] = [];
  for await (const id of paged(new Growing(["e", "d", "c", "b", "a"]).list, {})) seen.push(id);
  expect(seen).toEqual(["e", "d", "c", "b", "a"]);
});

test("a page that cannot be read ends the iteration with its error", async () => {
  const list = { ...new Growing([]).list, read: () => Promise.reject(new Error("away")) };
  const iterate = async () => {
    for await (const _ of paged(list, {}));
  };
  await expect(iterate()).rejects.toThrow("away");
});
