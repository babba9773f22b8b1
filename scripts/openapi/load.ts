import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { declarationOf, type RouteHandler, takesCaller } from "@/lib/http/declared-route";
import { describeApi } from "@/lib/http/openapi/describe-api";
import type { Operation } from "@/lib/http/openapi/describe-operation";
import { errorSections } from "@/lib/http/openapi/errors";
import { DOCUMENT_FILE } from "@/lib/http/reference/read-document";

/** The repository's root. */
export const ROOT = path.resolve(import.meta.dirname, "../..");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The document without examples, which the service adds (lib/http/reference/read-document.ts). */
export const DOCUMENT = path.join(ROOT, DOCUMENT_FILE);

/** Returns the document as the routes currently declare it, as text. */
export async function generateDocument(): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  const errors = errorSections(readFileSync(path.join(ROOT, "docs", "errors.md"), "utf8"));
  const document = describeApi({ version, operations: await loadOperations(), errors });
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The document of what a session may call. */
export const SESSION_DOCUMENT = path.join(ROOT, "docs", "session-api.md");

/** Returns that document with the table of the operations of /v1 that take a session, as they are declared. */
export async function sessionDocument(): Promise<string> {
  const taking = (await loadOperations())
    .filter(({ declared }) => takesCaller(declared.auth, "session"))
    .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))
    .map(({ method, path: at, declared }) => {
      const agent = declared.actsForAgents ? "`?agent=`" : "";
      return `| \`${method} ${at}\` | ${declared.docs?.summary} | ${agent} |`;
    });
  const table = ["| operation | | for an agent |", "|---|---|---|", ...taking, ""].join("\n");
  const document = readFileSync(SESSION_DOCUMENT, "utf8");
  const place = /^\| operation \|.*\n(?:\|.*\n)+/m;
  if (!place.test(document)) throw new Error("docs/session-api.md has no table of operations");
  return document.replace(place, () => table);
}

/**
 * Returns every route under app/v1 with its declaration.
 *
 * @throws Error for a handler that `route()` did not create
 */
async function loadOperations(): Promise<Operation[]> {
  const app = path.join(ROOT, "app");
  const operations: Operation[] = [];
  for (const entry of readdirSync(path.join(app, "v1"), { withFileTypes: true, recursive: true })) {
    if (entry.name !== "route.ts") continue;
    const file = path.join(entry.parentPath, entry.name);
    const pattern = `/${path.relative(app, entry.parentPath).split(path.sep).join("/")}`.replace(/\[(\w+)\]/g, "{$1}");
    const module = (await import(pathToFileURL(file).href)) as Partial<Record<(typeof METHODS)[number], RouteHandler>>;
    for (const method of METHODS) {
      const handler = module[method];
      if (!handler) continue;
      const declared = declarationOf(handler);
      if (!declared) throw new Error(`${method} ${pattern} is not made by route()`);
      operations.push({ path: pattern, method, declared });
    }
  }
  return operations;
}
