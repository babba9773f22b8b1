import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { RouteHandler } from "./declared-route";
import { directHandlers } from "./direct-handlers";
import { V1_ROUTES } from "./routes";

const APP = path.resolve(import.meta.dirname, "../../app");
const PATTERNS = [...Object.keys(V1_ROUTES), "/api/pay/{id}"];
const handlers = new Map<string, RouteHandler>();

/** Returns handlers that report their pattern and method. */
async function load(pattern: string) {
  const of = (method: string) => {
    const handler: RouteHandler = async () => new Response(`${method} ${pattern}`);
    handlers.set(`${method} ${pattern}`, handler);
    return handler;
  };
  return { GET: of("GET"), POST: of("POST") };
}

describe("the handlers of the API", () => {
  it("are those of folders that Next serves, each by its path", async () => {
    const find = await directHandlers(PATTERNS, load);
    for (const pattern of PATTERNS) {
      const folder = pattern.slice(1).replace(/\{(\w+)\}/g, "[$1]");
      expect(existsSync(path.join(APP, folder, "route.ts")), folder).toBe(true);
      const found = find("GET", pattern.replace(/\{\w+\}/g, "id_1"));
      expect(found?.handler, pattern).toBe(handlers.get(`GET ${pattern}`));
      const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.entries(found?.params ?? {}), pattern).toEqual(names.map((name) => [name, "id_1"]));
    }
  });

  it("serve HEAD as GET, a fixed path before one that takes any text, and decode what a path says", async () => {
    const find = await directHandlers(PATTERNS, load);
    expect(find("HEAD", "/v1/transfers")?.handler).toBe(handlers.get("GET /v1/transfers"));
    const pending = find("GET", "/v1/agents/transactions/pending");
    expect(pending).toEqual({ handler: handlers.get("GET /v1/agents/transactions/pending"), params: {} });
    expect(find("GET", "/v1/transfers/a%20b")?.params).toEqual({ transfer_id: "a b" });
    expect(find("DELETE", "/v1/transfers")).toBeUndefined();
    expect(find("GET", "/v1/nothing")).toBeUndefined();
  });
});
