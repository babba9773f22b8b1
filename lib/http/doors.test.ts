import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import { declarationOf, type RouteHandler } from "@/lib/http/declared-route";
import { DOORS, type Door, doorOf } from "./doors";
import { isApiPath, refusePage } from "./front";
import { isPlain } from "./plain-response";
import { DIRECT_PATHS, ROUTES } from "./routes";

const filesBelow = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" });
const ROWS = Object.entries<Door>(DOORS);

/** Files by which Next.js serves an address of their own, with how that ends. */
const METADATA: Readonly<Record<string, string>> = {
  "manifest.ts": "/manifest.webmanifest",
  "robots.ts": "/robots.txt",
  "sitemap.ts": "/sitemap.xml",
};

/** Returns the path that a file below `app` serves, with a value for each parameter; undefined if it serves none. */
function pathOf(file: string): string | undefined {
  const name = path.basename(file);
  if (name in METADATA) return METADATA[name];
  if (/^(favicon\.ico|icon\.|apple-icon\.|opengraph-image\.|twitter-image\.)/.test(name)) return `/${file}`;
  if (!/^(page|route)\.tsx?$/.test(name)) return undefined;
  const segments = path
    .dirname(file)
    .split(path.sep)
    .filter((segment) => segment !== "." && !/^\(.*\)$/.test(segment))
    .flatMap((segment) => (segment.startsWith("[[...") ? [] : segment.startsWith("[...") ? ["a", "b"] : [segment]))
    .map((segment) => segment.replace("[network]", "test").replace(/\[\w+\]/g, "some"));
  return `/${segments.join("/")}`;
}

const ON_DISK = new Map([
  ...filesBelow("app").flatMap((file) => {
    const at = pathOf(file);
    return at === undefined ? [] : [[at, path.join("app", file)] as const];
  }),
  ...filesBelow("public")
    .filter((file) => path.extname(file) !== "")
    .map((file) => [`/${file}`, path.join("public", file)] as const),
]);

test("every route, page and file on disk has a row with its guards", () => {
  expect(ON_DISK.size).toBeGreaterThan(120);
  expect([...ON_DISK.keys()].filter((at) => !doorOf(at))).toEqual([]);
});

test("every row is of something on disk, and the first that names it", () => {
  const used = new Set([...ON_DISK.keys(), "/_next/static/chunks/a.js"].map(doorOf));
  expect(ROWS.filter(([, door]) => !used.has(door)).map(([name]) => name)).toEqual([]);
  for (const [name, door] of ROWS) {
    for (const at of door.paths) {
      const sample = at.replace(/\{\w+\}/g, "some").replace("/*", "/some");
      expect(doorOf(sample), `${name} ${at}`).toBe(door);
    }
  }
});

test("a path that no row names has no door", () => {
  const nowhere = ["/nope", "/nope/", "/wp/login.php", "/index.php", "/.env", "/[network]", "/(site)", "/TEST/keys"];
  for (const at of [...nowhere, "/tests", "/pay", "/pay/a/b", "/receipt/x", "/_next/image", "/_next/data/a.json"]) {
    expect(doorOf(at), at).toBeUndefined();
  }
  for (const at of ["/v2/x", "/v1x", "/circuits/a/b", "/healthz/x", "/_not-found"])
    expect(doorOf(at), at).toBeUndefined();
  for (const at of ["/docs/", "/test/", "/sign-in/"]) expect(doorOf(at), at).toBeDefined();
});

test("no guard is missing but where the row says why", () => {
  const having = (holds: (door: Door) => boolean) => ROWS.filter(([, door]) => holds(door)).map(([name]) => name);
  expect(having(({ deadlineMs }) => deadlineMs === null)).toEqual(["stream", "mcp"]);
  expect(having(({ counts }) => counts === "never")).toEqual(["stream", "probes"]);
  expect(having(({ counts }) => counts === "until it has responded")).toEqual(["mcp"]);
  expect(having(({ address }) => address === "later")).toEqual(["probes"]);
  expect(having(({ address }) => address === "beyond built files")).toEqual(["built"]);
  expect(having(({ line, methods }) => line === "none" && methods === "route")).toEqual([
    "links",
    "stream",
    "signIn",
    "oauth",
    "x402",
  ]);
  // What a request may cost is bounded by the limit that counts it.
  expect(having(({ cpu, methods }) => (cpu === "route") !== (methods === "route"))).toEqual([]);
  expect(having(({ cpu, address }) => cpu === "rendered" && address !== "public")).toEqual([]);
  expect(having(({ cpu, address }) => (cpu === "probe") !== (address === "later"))).toEqual([]);
  expect(having(({ cpu }) => cpu === "file")).toEqual(["built", "unchanging"]);
  expect(having(({ cpu }) => cpu === "rendered")).toEqual(["visitors", "dashboard"]);
  // What is the same for everyone matters least.
  expect(having((door) => door.priority === "key")).toEqual(["mcp"]);
  expect(having((door) => door.priority === "either")).toEqual(["rest"]);
  expect(having((door) => door.priority === "session")).toEqual(["stream", "session", "dashboard"]);
});

test("pages take only GET and HEAD, and those of the dashboard the calls of their action", () => {
  const refusalOf = (method: string, at: string, headers: Record<string, string> = {}) =>
    refusePage({ method, headers } as unknown as IncomingMessage, at, doorOf(at) as Door)?.error.code;
  const pages = [...ON_DISK.keys()].filter((at) => doorOf(at)?.methods !== "route");
  expect(pages.length).toBeGreaterThan(50);
  const action = { "next-action": "0".repeat(42) };
  for (const at of pages) {
    for (const method of ["GET", "HEAD"]) expect(refusalOf(method, at)).toBeUndefined();
    for (const method of ["POST", "PUT", "DELETE", "TRACE", "PURGE", "OPTIONS"]) {
      expect(refusalOf(method, at), `${method} ${at}`).toBe("method_not_allowed");
    }
    const isDashboard = doorOf(at) === DOORS.dashboard;
    expect(refusalOf("POST", at, action), at).toBe(isDashboard ? undefined : "method_not_allowed");
    expect(refusalOf("PUT", at, action), at).toBe("method_not_allowed");
  }
  const form = { "content-type": "multipart/form-data; boundary=a" };
  expect(refusalOf("POST", "/test/settings", form)).toBeUndefined();
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** Routes whose handlers are not declared with `route()`, with what guards them. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  "/api/auth/a/b": /nextAuthRoute\(/,
  "/api/kyc/webhook": /identityWebhook\(/,
  // Only redirects to a page.
  "/api/notifications/unsubscribe": /GET = asRedirect\(/,
  "/api/stream": /serveStream/,
  "/mcp/test": /serveMcp\(/,
  "/oauth/authorize": /GET = asRedirect\(/,
  "/oauth/register": /oauthRoute\(/,
  "/oauth/revoke": /oauthRoute\(/,
  "/oauth/token": /oauthRoute\(/,
};

test("a link that leads to a page redirects there with its query, and has a request id like every response", async () => {
  const route = await import("@/app/api/notifications/unsubscribe/route");
  const link = new Request("http://x/api/notifications/unsubscribe?token=t");
  const { status, headers } = await route.GET(link, { params: Promise.resolve({}) });
  expect([status, headers.get("location")]).toEqual([303, "/notifications/unsubscribe?token=t"]);
  expect(headers.get("x-request-id")).toMatch(/^req_/);
});

test("a link that leads to a page is counted as a page is, whatever its address looks like", () => {
  for (const at of ["/oauth/authorize", "/api/notifications/unsubscribe"]) {
    expect(doorOf(at), at).toMatchObject({ address: "public", priority: "public" });
  }
});

test("the table of routes has exactly those that Next.js serves below an API, with their methods", async () => {
  const served: Record<string, string[]> = {};
  for (const file of filesBelow("app").filter((name) => path.basename(name) === "route.ts")) {
    const segments = path.dirname(file).split(path.sep);
    const at = segments.filter((segment) => !/^\(.*\)$/.test(segment)).join("/");
    if (!isApiPath(`/${at}`)) continue;
    const module = (await import(/* @vite-ignore */ path.resolve("app", file))) as Record<string, RouteHandler>;
    const pattern = `/${at.replace(/\[\.\.\.\w+\]/, "*").replace(/\[(\w+)\]/g, "{$1}")}`;
    served[pattern] = METHODS.filter((method) => module[method]);
  }
  const inOrder = Object.entries(ROUTES).map(([at, methods]) => [at, METHODS.filter((one) => methods.includes(one))]);
  expect(served).toEqual(Object.fromEntries(inOrder));
});

test("every declared route is served without Next.js's router", async () => {
  const direct: string[] = [];
  for (const [at, file] of ON_DISK) {
    if (doorOf(at)?.methods !== "route") continue;
    const module = (await import(/* @vite-ignore */ path.resolve(file))) as Record<string, RouteHandler>;
    const handlers = METHODS.flatMap((method) => module[method] ?? []);
    const isDeclared = handlers.some((handler) => declarationOf(handler)) || doorOf(at) === DOORS.links;
    expect(handlers.every(isPlain), at).toBe(isDeclared);
    if (isDeclared) direct.push(`/${path.dirname(path.relative("app", file)).replace(/\[(\w+)\]/g, "{$1}")}`);
  }
  expect(direct.length).toBeGreaterThan(100);
  expect(direct.filter((at) => !DIRECT_PATHS.includes(at))).toEqual([]);
});

test("every route that guards itself has a key's or a session's line and limit, or its client address's limit", async () => {
  let [open, lined] = [0, 0];
  for (const [at, file] of ON_DISK) {
    const door = doorOf(at);
    if (door?.methods !== "route") continue;
    const module = (await import(/* @vite-ignore */ path.resolve(file))) as Record<string, RouteHandler>;
    for (const method of METHODS.filter((name) => module[name])) {
      const declared = declarationOf(module[method] as RouteHandler);
      if (!declared) {
        expect(readFileSync(file, "utf8"), at).toMatch(OTHERS[at] ?? /^$/);
      } else if (declared.auth === "public") {
        expect(declared.limit, `${method} ${at}`).toBeDefined();
        open += 1;
      } else {
        // `route()` counts and lines up every caller that it authenticates.
        expect(door.line, `${method} ${at}`).toBe("route");
        lined += 1;
      }
    }
  }
  expect(open).toBeGreaterThan(8);
  expect(lined).toBeGreaterThan(100);
  expect(readFileSync("lib/http/mcp/serve-mcp.ts", "utf8")).toMatch(/await takeSlot\(caller\)/);
  // What the server in front refuses from memory is what these count against first.
  expect(DOORS.oauth.posts).toBe("oauth");
  expect(readFileSync("lib/http/oauth-route.ts", "utf8")).toMatch(/try {\s+await limitAddress\("oauth", /);
  expect(DOORS.signIn.posts).toBe("sign_in");
  expect(readFileSync("lib/http/next-auth-route.ts", "utf8")).toMatch(/limitAddress\(isPost \? "sign_in" : "public"/);
});
