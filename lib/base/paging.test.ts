import { expect, test } from "vitest";
import { InstantInput, MAX_OFFSET, PAGE_QUERY, pageOf } from "@/lib/base/paging";

test.each([
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59-14:00",
  "1969-12-31T23:59:59Z",
  "2026-02-30T00:00:00Z",
  "yesterday",
  "",
  "2026-11-21T02:07:36",
])("%s is no time that the database has", (text) => {
  expect(InstantInput.safeParse(text).success).toBe(false);
});

test.each([
  ["1970-01-01T00:00:00Z", 0],
  ["1970-01-01T02:00:00+02:00", 0],
  ["9999-12-30T23:59:59Z", Date.UTC(9999, 11, 30, 23, 59, 59)],
])("%s is one", (text, milliseconds) => {
  expect(InstantInput.parse(text).getTime()).toBe(milliseconds);
});

test("a list is skipped into up to 10,000 entries; deeper ones are read by cursor", () => {
  expect(PAGE_QUERY.offset.parse("10000")).toBe(MAX_OFFSET);
  expect(PAGE_QUERY.offset.safeParse("10001").error?.issues[0]?.message).toContain("starting_after");
});

test("a page of a list that was read whole begins after the entry that is named, and says whether more follow", () => {
  const all = ["a", "b", "c", "d"].map((id) => ({ id }));
  const page = (query: Parameters<typeof pageOf>[1]) => {
    const { entries, hasMore } = pageOf(all, query);
    return [entries.map(({ id }) => id).join(""), hasMore];
  };
  expect(page({})).toEqual(["abcd", false]);
  expect(page({ limit: 3 })).toEqual(["abc", true]);
  expect(page({ limit: 2, starting_after: "b" })).toEqual(["cd", false]);
  expect(page({ limit: 1, starting_after: "a" })).toEqual(["b", true]);
  expect(page({ starting_after: "d" })).toEqual(["", false]);
  expect(() => page({ starting_after: "e" })).toThrow(expect.objectContaining({ code: "invalid_request" }));
});
