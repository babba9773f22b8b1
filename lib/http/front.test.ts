import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import type { ApiError } from "@/lib/base/errors";
import { admit, isApiPath, refuse } from "@/lib/http/front";
import { methodsOf, ROUTES } from "@/lib/http/routes";

/** Creates a request like Node's. */
function incoming(url: string, headers: Record<string, string> = {}, hosts = ["localhost:3000"]): IncomingMessage {
  const rawHeaders = [...hosts.flatMap((host) => ["Host", host]), ...Object.entries(headers).flat()];
  return { url, headers: { host: hosts[0], ...headers }, rawHeaders, httpVersion: "1.1" } as unknown as IncomingMessage;
}

/** Returns the code with which the front refuses a request; undefined if it reaches its route. */
function codeOf(method: string, target: string): string | undefined {
  try {
    return refuse(method, admit(incoming(target)))?.error.code;
  } catch (error) {
    return (error as ApiError).code;
  }
}

describe("the server in front of Next", () => {
  it("lets every route of the table pass, with any query", () => {
    for (const [pattern, methods] of Object.entries(ROUTES)) {
      const path = pattern.replace(/\{[a-z_]+\}/g, "tr_01").replace("*", "a/b");
      for (const method of methods) expect(codeOf(method, `${path}?limit=1`)).toBeUndefined();
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
    "/x/../v1/accounts/me",
    "/x/%2e%2e/v1/accounts/me",
    "/x/%2E./v1/accounts/me",
    "/v1/webhooks/..",
    "/v1/agents/%2e%2e/pause",
    "/v1/./transfers",
    "/v1/transfers/.",
    "//v1/transfers",
    "/\\v1/transfers",
    "/v1\\transfers",
    "/v1%5ctransfers",
    "/v1%2ftransfers",
    "/v1/transfers%2Fx",
    "/V1/transfers",
    "/v1;x/transfers",
    "/%56%31/transfers",
    "*",
    "v1/transfers",
    "http:v1/transfers",
    "http://localhost:3000//v1/transfers",
  ])("answers the unknown path %s with 404", (path) => expect(codeOf("GET", path)).toBe("not_found"));

  it.each([
    "/v1/transfers/%E0%A4%A",
    "/v1/transfers/%",
    "/v1/transfers?to=%ff",
    "/v1/transfers/%zz",
    "/v1/events/a%00b",
    "/v1/transfers?status=%00",
    "/v1/transfers#x",
    "/v1/transfers/\u00e9",
    "/v1/transfers/%ed%a0%80",
  ])("answers the bad encoding %s with 400", (target) => expect(codeOf("GET", target)).toBe("invalid_request"));

  it.each([
    ["http://localhost:3000/v1/transfers?x=1", "/v1/transfers", "/v1/transfers?x=1"],
    ["HTTP://evil.example/v1/transfers", "/v1/transfers", "/v1/transfers"],
    ["http://evil.example", "/", "/"],
    ["http://evil.example?a=1", "/", "/?a=1"],
    ["/v1/transfers?x=/v2/../%2f", "/v1/transfers", "/v1/transfers?x=/v2/../%2f"],
    ["/v1/trans%66ers", "/v1/transfers", "/v1/transfers"],
    ["/docs/a%20b%c3%a9", "/docs/a%20b%C3%A9", "/docs/a%20b%C3%A9"],
  ])("hands %s on in one form", (raw, path, full) => {
    const request = incoming(raw);
    expect(admit(request)).toBe(path);
    expect(request.url).toBe(full);
  });

  it("takes what looks like an address of an API for one, and nothing else", () => {
    for (const path of [
      "/v1",
      "/v1/",
      "/V1/x",
      "/v2",
      "/V2/transfers",
      "/v10/x",
      "/v1;a",
      "/v1.json",
      "/api/keys",
      "/API",
      "/api%20",
      "/x402/verify",
      "/X402",
      "/mcp/test",
      "/oauth/token",
    ]) {
      expect(isApiPath(path), path).toBe(true);
    }
    for (const path of [
      "/",
      "/v1x",
      "/x402x",
      "/vx",
      "/v",
      "/apis",
      "/docs/api",
      "/docs/mcp",
      "/test/v1",
      "/mcps",
      "/oauth2",
    ])
      expect(isApiPath(path), path).toBe(false);
  });

  it("refuses a second Authorization header: who acts would depend on their order", () => {
    const twice = incoming("/v1/transfers", { Authorization: "Bearer a" });
    twice.rawHeaders.push("Authorization", "Bearer a", "authorization", "Bearer b");
    expect(() => admit(twice)).toThrow("invalid_request: Send one Authorization header.");
  });

  it("refuses a second Idempotency-Key: joined, they would be a key that no one sent", () => {
    const twice = incoming("/v1/transfers");
    twice.rawHeaders.push("Idempotency-Key", "a", "idempotency-key", "b");
    expect(() => admit(twice)).toThrow("invalid_request: Send one Idempotency-Key header.");
    const once = incoming("/v1/transfers", { "Idempotency-Key": "a, b" });
    expect(admit(once)).toBe("/v1/transfers");
  });

  it("refuses a request without a Host, or with two", () => {
    expect(() => admit(incoming("/v1/transfers", {}, []))).toThrow("invalid_request");
    expect(() => admit(incoming("/v1/transfers", {}, ["a", "b"]))).toThrow("invalid_request");
  });

  it("hands no header on that speaks to Next's own machinery, nor an offer to change the protocol", () => {
    const own = {
      "x-middleware-subrequest": "a",
      "x-nextjs-data": "1",
      "x-matched-path": "/",
      "x-invoke-path": "/",
      upgrade: "h2c",
    };
    const pages = { rsc: "1", "next-action": "a", "next-router-state-tree": "b" };
    const api = incoming("/v1/transfers", { ...own, ...pages, authorization: "Bearer x", "accept-encoding": "gzip" });
    admit(api);
    expect(Object.keys(api.headers)).toEqual(["host", "authorization"]);
    const page = incoming("/docs", { ...own, ...pages, "accept-encoding": "gzip" });
    admit(page);
    expect(Object.keys(page.headers)).toEqual(["host", ...Object.keys(pages), "accept-encoding"]);
  });

  it("takes a fixed path before one that takes any text, and the rest of a path where the table says so", () => {
    expect(methodsOf("/api/sessions/reload-share")).toEqual(["GET"]);
    expect(methodsOf("/api/sessions/ses_1")).toEqual(["DELETE"]);
    expect(methodsOf("/api/auth/callback/siwe")).toEqual(["GET", "POST"]);
    for (const path of ["/api/nothing", "/api/auth", "/api/auth/", "/api/sessions/a/b", "constructor"]) {
      expect(methodsOf(path), path).toBeUndefined();
    }
  });
});
