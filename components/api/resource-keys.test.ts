import { readdirSync } from "node:fs";
import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { COLLECTIONS, resourceKeys } from "./resource-keys";

const { one, collection, below } = resourceKeys;

/** Returns which cached resources an invalidation marks as stale. */
function staleAfter(filter: Parameters<QueryClient["invalidateQueries"]>[0]): string[] {
  const client = new QueryClient();
  const keys = [
    one("test", "/api/keys"),
    one("test", "/api/keys", { agent: "acc_1" }),
    one("test", "/api/keys/key_1/usage"),
    one("live", "/api/keys"),
    one("test", "/api/agents"),
    one("test", "/api/agents/transactions/tx_1"),
  ];
  for (const key of keys) client.setQueryData(key, {});
  void client.invalidateQueries(filter);
  return keys.filter((key) => client.getQueryState(key)?.isInvalidated).map((key) => `${key[0]} ${key[1]}`);
}

it("a collection's key covers all its queries on one network, and nothing below it", () => {
  expect(staleAfter({ queryKey: collection("test", "/api/keys") })).toEqual(["test /api/keys", "test /api/keys"]);
});

it("what is below a collection is covered together with it, on one network", () => {
  expect(staleAfter({ predicate: below("test", "/api/agents/transactions") })).toEqual([
    "test /api/agents/transactions/tx_1",
  ]);
  expect(staleAfter({ predicate: below("live", "/api/keys", "/api/agents") })).toEqual(["live /api/keys"]);
});

it("a change of agents leaves the payments that await approval, which are a collection of their own", () => {
  const [agents, waiting, account] = ["/v1/agents", "/v1/agents/transactions", "/v1/accounts/me"] as const;
  const isStale = (path: Parameters<typeof one>[1], ...changed: Parameters<typeof collection>[1][]) =>
    below("test", ...changed)({ queryKey: one("test", path) });
  expect(isStale(`${agents}/acct_1/spend-policy`, agents)).toBe(true);
  expect(isStale(`${waiting}/pending`, agents)).toBe(false);
  expect(isStale(`${waiting}/pending?agent=bot`, waiting)).toBe(true);
  expect(isStale(`${account}/agents`, account)).toBe(false);
  expect(isStale(`${account}/balances`, account)).toBe(true);
});

it("every collection has routes", () => {
  const routes = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("/route.ts"));
  const isServed = (path: string) => routes.some((file) => `/${file}`.startsWith(`${path}/`));
  expect(COLLECTIONS.filter((path) => !isServed(path))).toEqual([]);
});
