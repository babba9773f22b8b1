import path from "node:path";
import { describe, expect, it } from "vitest";
import { readRoutePatterns } from "@/lib/http/route-patterns";
import { V1_ROUTES } from "@/lib/http/routes";

const patternOf = readRoutePatterns(path.resolve(import.meta.dirname, "../../app"));

describe("the pattern of a path", () => {
  it.each([
    ["/", "/"],
    ["/v1/transfers", "/v1/transfers"],
    ["/v1/transfers/tr_01KADQ", "/v1/transfers/{transfer_id}"],
    ["/api/auth/callback/siwe", "/api/auth/*"],
    ["/api/keys/key_1", "/api/keys/{id}"],
    ["/prover/worker.js", "/prover/{file}"],
    ["/test/transfers/tr_01KADQ", "/{network}/transfers/{id}"],
    ["/test/nope/nothing", "/{network}/*"],
    ["/_next/static/chunks/a.js", "/_next/*"],
    ["/v1/transfers/", "unmatched"],
    ["/v1/transfers/a/b/c", "unmatched"],
    ["/wp/login.php", "unmatched"],
  ])("%s is %s", (target, pattern) => {
    expect(patternOf(target)).toBe(pattern);
  });

  it("is known of every path of the API", () => {
    for (const pattern of Object.keys(V1_ROUTES)) {
      expect(patternOf(pattern.replace(/\{\w+\}/g, "some_id"))).toBe(pattern);
    }
  });
});
