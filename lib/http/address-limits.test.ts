import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { declarationOf, type RouteHandler } from "@/lib/http/declared-route";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** Files whose handlers are not declared with `route()`, with what limits them by client address or session. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  "api/auth/[...nextauth]": /nextAuthRoute\(/,
  "api/kyc/webhook": /identityWebhook\(/,
  // Only redirects to a page.
  "api/notifications/unsubscribe": /function GET\(/,
  "api/stream": /serveStream/,
  "oauth/authorize": /./,
  "oauth/register": /oauthRoute\(/,
  "oauth/revoke": /oauthRoute\(/,
  "oauth/token": /oauthRoute\(/,
};

test("every route that needs no key or session is limited by client address", async () => {
  let open = 0;
  for (const root of ["api", "oauth", "x402"]) {
    const files = readdirSync(path.join("app", root), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => path.basename(name) === "route.ts")) {
      const folder = path.posix.join(root, path.dirname(file));
      const source = path.join("app", folder, "route.ts");
      const module = (await import(/* @vite-ignore */ path.resolve(source))) as Record<string, RouteHandler>;
      for (const method of METHODS.filter((name) => module[name])) {
        const declared = declarationOf(module[method] as RouteHandler);
        if (!declared) expect(readFileSync(source, "utf8"), folder).toMatch(OTHERS[folder] ?? /^$/);
        else if (declared.auth === "public") {
          expect(declared.limit, `${method} /${folder}`).toBeDefined();
          open += 1;
        }
      }
    }
  }
  expect(open).toBeGreaterThan(8);
});
