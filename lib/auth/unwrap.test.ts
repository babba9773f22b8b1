import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { refuseUnwrap } from "@/lib/auth/unwrap";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** `file METHOD` of every route whose declaration holds `text`. */
function routesWith(text: string): string[] {
  const files = readdirSync(path.join(ROOT, "app"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith("route.ts"))
    .flatMap((file) => {
      const declarations = readFileSync(path.join(ROOT, "app", file), "utf8").split(/^(?=(?:export )?const )/m);
      return declarations
        .filter((declaration) => declaration.includes(text))
        .map((declaration) => `${file} ${/const (\w+)/.exec(declaration)?.[1]}`);
    });
}

describe("what an API key wraps", () => {
  it("is opened by a plain payment alone (docs/protocol.md section 6)", () => {
    expect(routesWith('opens: "secret"')).toEqual(["v1/transfers/route.ts POST"]);
  });

  it("gives the balances route the flag key and nothing else", () => {
    expect(routesWith('opens: "flag"')).toEqual(["v1/accounts/me/balances/route.ts balances"]);
  });

  it("stays shut on every other route, whatever its verb tries", async () => {
    await expect(refuseUnwrap()).rejects.toThrow("may not open");
  });

  it("is declared by a literal, so that this test sees every grant", () => {
    expect(routesWith("opens").length).toBe(2);
  });
});
