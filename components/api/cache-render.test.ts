import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import { cacheRender } from "./cache-render";

const KEY = ["test", "/api/keys", {}];
const RECENT_MS = 10_000;
let client: QueryClient;
let asked: number;
const respond = () => {
  asked++;
  return Promise.resolve({ keys: ["from the service"] });
};

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: RECENT_MS } } });
  asked = 0;
});

/** Subscribes to a resource the way `useResource` does. */
function part(initialData: { keys: string[] }) {
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: respond, initialData });
  const leave = observer.subscribe(() => {});
  cacheRender(client, KEY, initialData, RECENT_MS);
  return { keys: () => observer.getCurrentResult().data?.keys, leave };
}

test("a newer render of the server is shown although the cache holds an older respond", async () => {
  client.setQueryData(KEY, { keys: ["old"] }, { updatedAt: Date.now() - RECENT_MS + 5_000 });
  const { keys, leave } = part({ keys: ["new"] });
  expect(keys()).toEqual(["new"]);
  leave();
});

test("what the cache got a moment ago may be newer than the render: the service is asked once more", async () => {
  client.setQueryData(KEY, { keys: ["just now"] });
  const { keys, leave } = part({ keys: ["rendered before that"] });
  await expect.poll(keys).toEqual(["from the service"]);
  expect(asked).toBe(1);
  leave();
});

test("a respond that is long past is replaced, and nothing is asked", () => {
  client.setQueryData(KEY, { keys: ["old"] }, { updatedAt: Date.now() - 10 * RECENT_MS });
  cacheRender(client, KEY, { keys: ["new"] }, RECENT_MS);
  expect(client.getQueryData(KEY)).toEqual({ keys: ["new"] });
  expect([client.isFetching(), asked]).toEqual([0, 0]);
});

test("a page that is gone back to does not bring back its old render", async () => {
  const first = { keys: ["first"] };
  part(first).leave();
  client.setQueryData(KEY, { keys: ["changed since"] });
  const again = part(first);
  expect(again.keys()).toEqual(["changed since"]);
  again.leave();
});
