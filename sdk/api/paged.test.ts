import { expect, test } from "vitest";
import { type PageInfo, type PageInput, paged } from "./paged";

/** A list, newest first, that grows while it is read. */
class Growing {
  readonly asked: PageInput[] = [];
  constructor(private readonly ids: string[]) {}
  readonly list = {
    read: async (input: PageInput) => {
      if (this.asked.push(input) > 1)
        this.ids.unshift(...["a", "b", "c"].map((name) => `new ${name}${this.asked.length}`));
      const { limit = 2, offset = 0, startingAfter } = input;
      const start = startingAfter === undefined ? offset : this.ids.indexOf(startingAfter) + 1;
      const entries = this.ids.slice(start, start + limit);
      return { entries, limit, offset, has_more: this.ids.length > start + limit };
    },
    entries: (page: PageInfo & { entries: string[] }) => page.entries,
    id: (entry: string) => entry,
  };
}

test("an awaited list is its first page, and reads no other", async () => {
  const growing = new Growing(["c", "b", "a"]);
  expect(await paged(growing.list, {})).toEqual({ entries: ["c", "b"], limit: 2, offset: 0, has_more: true });
  expect(growing.asked).toHaveLength(1);
});

test("an iterated list gives every entry once, though others come in front of it meanwhile", async () => {
  const growing = new Growing(["5", "4", "3", "2", "1"]);
  const seen: string[] = [];
  for await (const id of paged(growing.list, { limit: 2, offset: 1 })) seen.push(id);
  expect(seen).toEqual(["4", "3", "2", "1"]);
  expect(growing.asked).toEqual([
    { limit: 2, offset: 1 },
    { limit: 2, offset: undefined, startingAfter: "3" },
  ]);
});

test("a service that ignores the cursor ends the list with an error, not an endless loop", async () => {
  const list = {
    read: async (_: PageInput) => ({ limit: 2, offset: 0, has_more: true, entries: ["2", "1"] }),
    entries: (page: PageInfo & { entries: string[] }) => page.entries,
    id: (entry: string) => entry,
  };
  const seen: string[] = [];
  const iterate = async () => {
    for await (const id of paged(list, {})) seen.push(id);
  };
  await expect(iterate()).rejects.toMatchObject({ code: "unavailable" });
  expect(seen).toEqual(["2", "1"]);
});

test("a page that cannot be read ends the iteration with its error", async () => {
  const list = { ...new Growing([]).list, read: () => Promise.reject(new Error("away")) };
  const iterate = async () => {
    for await (const _ of paged(list, {}));
  };
  await expect(iterate()).rejects.toThrow("away");
});
