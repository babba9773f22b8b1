import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { RouteHandler } from "./declared-route";
import { V1_ROUTES } from "./routes";
import { v1Handlers } from "./v1-handlers";

const V1 = path.resolve(import.meta.dirname, "../../app/v1");
const handlers = new Map<string, RouteHandler>();

/** Returns handlers that report their folder and method. */
async function load(folder: string) {
  const of = (method: string) => {
    const handler: RouteHandler = async () => new Response(`${method} ${folder}`);
    handlers.set(`${method} ${folder}`, handler);
    return handler;
  };
  return { GET: of("GET"), POST: of("POST") };
}

describe("the handlers of the API", () => {
  it("are loaded from the folders that Next serves, each by its path", async () => {
    const find = await v1Handlers(load);
    for (const pattern of Object.keys(V1_ROUTES)) {
      const folder = pattern.slice("/v1/".length).replace(/\{(\w+)\}/g, "[$1]");
      expect(existsSync(path.join(V1, folder, "route.ts")), folder).toBe(true);
      const found = find("GET", pattern.replace(/\{\w+\}/g, "id_1"));
      expect(found?.handler, pattern).toBe(handlers.get(`GET ${folder}`));
      const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.entries(found?.params ?? {}), pattern).toEqual(names.map((name) => [name, "id_1"]));
    }
  });

  it("serve HEAD as GET, a fixed path before one that takes any text, and decode what a path says", async () => {
    const find = await v1Handlers(load);
    expect(find("HEAD", "/v1/transfers")?.handler).toBe(handlers.get("GET transfers"));
    const pending = find("GET", "/v1/agents/transactions/pending");
    expect(pending).toEqual({ handler: handlers.get("GET agents/transactions/pending"), params: {} });
    expect(find("GET", "/v1/transfers/a%20b")?.params).toEqual({ transfer_id: "a b" });
    expect(find("DELETE", "/v1/transfers")).toBeUndefined();
    expect(find("GET", "/v1/nothing")).toBeUndefined();
  });
});
