import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isApiPath, pathOf, refuse } from "@/lib/http/front";
import { V1_ROUTES } from "@/lib/http/routes";

const codeOf = (method: string, target: string) => refuse(method, target)?.error.code;

describe("the server in front of Next", () => {
  it("lets every route of the table pass, with any query", () => {
    for (const [pattern, methods] of Object.entries(V1_ROUTES)) {
      const path = pattern.replace(/\{[a-z_]+\}/g, "tr_01");
      for (const method of methods) expect(refuse(method, `${path}?limit=1`)).toBeUndefined();
    }
  });

  it.each(["PUT", "TRACE", "PATCH", "OPTIONS", "DELETE"])("answers %s with 405 and the methods that work", (method) => {
    const refusal = refuse(method, "/v1/transfers");
    expect(refusal?.error.status).toBe(405);
    expect(refusal?.headers.Allow).toBe("GET, POST, HEAD");
  });

  it.each([
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/transfers/",
    "/v1/transfers/a/b",
    "/v1//transfers",
    "/v1/../v1/transfers",
  ])("answers the unknown path %s with 404", (path) => expect(codeOf("GET", path)).toBe("not_found"));

  it.each(["/v1/transfers/%E0%A4%A", "/v1/transfers/%", "/v1/transfers?to=%ff", "/v1/transfers/%zz"])(
    "answers the bad encoding %s with 400",
    (target) => expect(codeOf("GET", target)).toBe("invalid_request"),
  );

  it("reads both forms of a request target", () => {
    expect(pathOf("http://localhost:3000/v1/transfers?x=1")).toBe("/v1/transfers");
    expect(pathOf("/v1/transfers?x=/v2")).toBe("/v1/transfers");
    expect(isApiPath("/v1x")).toBe(false);
  });

  it("knows exactly the routes and methods that app/v1 has", () => {
    const found: Record<string, string[]> = {};
    const files = readdirSync("app/v1", { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith("route.ts"),
    );
    for (const file of files) {
      const path = `/v1/${file}`
        .replace(/\/route\.ts$/, "")
        .replaceAll("[", "{")
        .replaceAll("]", "}");
      const source = readFileSync(`app/v1/${file}`, "utf8");
      found[path] = [...source.matchAll(/export const (GET|POST|PUT|PATCH|DELETE)\b/g)].map(
        ([, method]) => method ?? "",
      );
    }
    const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(table).map(([path, methods]) => [path, [...methods].sort()]));
    expect(sorted(found)).toEqual(sorted(V1_ROUTES));
  });
});
