import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { KEY } from "@/test/sdk/client-operations";
import { Halcyon } from "../client";
import { type TailNews, tailRequests } from "./tail-requests";

/** The log, newest first. */
let log: string[] = [];
/** How many looks the service refuses from now on, because it is away. */
let away = 0;
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  if (away > 0) {
    away--;
    response.statusCode = 503;
    return response.end(JSON.stringify({ error: { code: "unavailable", message: "Away." } }));
  }
  const { searchParams } = new URL(request.url ?? "", "http://x");
  const [limit, after] = [Number(searchParams.get("limit")), searchParams.get("starting_after")];
  const rest = after === null ? log : log.filter((id) => id < after);
  const requests = rest.slice(0, limit).map((request_id) => ({ request_id }));
  response.end(JSON.stringify({ requests, limit, offset: 0, has_more: rest.length > limit }));
});
let client: Halcyon;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new Halcyon({ url, apiKey: KEY, maxRetries: 0 });
});
afterAll(() => server.close());
beforeEach(() => {
  log = [];
  away = 0;
});

const id = (number: number) => `req_${String(number).padStart(4, "0")}`;
const upTo = (last: number) => Array.from({ length: last }, (_, at) => id(last - at));

/** Follows until `last` was shown, doing at each request what `then` has for it. Returns what was shown. */
async function shown(lines: number, last: string, then: Record<string, () => void> = {}): Promise<string[]> {
  const end = new AbortController();
  const seen: string[] = [];
  const tell = (news: TailNews) => {
    seen.push(news.kind === "request" ? news.request.request_id : news.kind);
    then[seen.at(-1) as string]?.();
    if (seen.at(-1) === last) end.abort();
  };
  await tailRequests(client, { lines, signal: end.signal, tell, pollMs: 1 });
  return seen;
}

test("begins with the newest requests and goes on, oldest first", async () => {
  log = upTo(250);
  const then = { [id(250)]: () => log.unshift(id(252), id(251)) };
  expect(await shown(2, id(252), then)).toEqual([id(249), id(250), id(251), id(252)]);
});

test("a slow request that is stored among earlier ones is shown, once", async () => {
  log = [id(5), id(3), id(1)];
  const then = { [id(5)]: () => log.splice(1, 0, id(4)), [id(4)]: () => log.unshift(id(6)) };
  expect(await shown(1, id(6), then)).toEqual([id(5), id(4), id(6)]);
});

test("more new requests than a page has are all shown", async () => {
  log = [id(1)];
  const then = { [id(1)]: () => log.unshift(...upTo(321).slice(0, -1)) };
  expect(await shown(1, id(321), then)).toEqual(upTo(321).reverse());
});

test("while the service is away it says so once, and continues", async () => {
  log = [id(1)];
  const then = {
    [id(1)]: () => {
      log.unshift(id(2));
      away = 1;
    },
  };
  expect(await shown(1, id(2), then)).toEqual([id(1), "lost", "found", id(2)]);
});
