import { expect, test } from "vitest";
import { paged } from "../api/paged";
import { pageAfter } from "./page-after";

const LIST = ["5", "4", "3", "2", "1"];

test("every transfer is listed once, though payments are made between two pages", async () => {
  const list = [...LIST];
  const asked: object[] = [];
  const read = async (input: { limit?: number; offset?: number; startingAfter?: string | undefined }) => {
    asked.push(input);
    const { limit = 2, offset = 0, startingAfter } = input;
    const start = startingAfter === undefined ? offset : list.indexOf(startingAfter) + 1;
    const page = list.slice(start, start + limit);
    const more = list.length > start + limit;
    list.unshift(`new ${asked.length}`, `newer ${asked.length}`, `newest ${asked.length}`);
    return { limit, offset, has_more: more, transfers: page.map((transfer_id) => ({ transfer_id })) };
  };
  const transfers = paged(
    { read, entries: (page) => page.transfers, id: ({ transfer_id }) => transfer_id, next: pageAfter },
    { limit: 2, offset: 1 },
  );
  const seen: string[] = [];
  for await (const { transfer_id } of transfers) seen.push(transfer_id);
  expect(seen).toEqual(LIST.slice(1));
  expect(asked).toEqual([
    { limit: 2, offset: 1 },
    { limit: 2, startingAfter: "3" },
  ]);
});

test("a service that ignores the cursor ends the list with an error, not an endless loop", async () => {
  const read = async (input: { limit?: number; offset?: number; startingAfter?: string | undefined }) => ({
    ...{ limit: 2, offset: 0, ...input, has_more: true },
    transfers: [{ transfer_id: "2" }, { transfer_id: "1" }],
  });
  const transfers = paged(
    { read, entries: (page) => page.transfers, id: ({ transfer_id }) => transfer_id, next: pageAfter },
    {},
  );
  const seen: string[] = [];
  const iterate = async () => {
    for await (const { transfer_id } of transfers) seen.push(transfer_id);
  };
  await expect(iterate()).rejects.toMatchObject({ code: "unavailable" });
  expect(seen).toEqual(["2", "1"]);
});
