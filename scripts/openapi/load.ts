import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { declarationOf, type RouteHandler, takesCaller } from "@/lib/http/declared-route";
import { describeApi } from "@/lib/http/openapi/describe-api";
import type { Operation } from "@/lib/http/openapi/describe-operation";
import { errorSections } from "@/lib/http/openapi/errors";
import { DOCUMENT_FILE } from "@/lib/http/reference/read-document";
import { V1_ROUTES } from "@/lib/http/routes";

/** The repository's root. */
export const ROOT = path.resolve(import.meta.dirname, "../..");

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
 * Returns every operation of the API with its declaration.
 *
 * @throws Error for a handler that `route()` did not create
 */
export async function loadOperations(): Promise<Operation[]> {
  const operations = Object.entries(V1_ROUTES).map(async ([at, methods]) => {
    const file = path.join(ROOT, "app", at.replace(/\{(\w+)\}/g, "[$1]"), "route.ts");
    const module = (await import(pathToFileURL(file).href)) as Partial<Record<string, RouteHandler>>;
    return methods.map((method): Operation => {
      const declared = module[method] && declarationOf(module[method]);
      if (!declared) throw new Error(`${method} ${at} is not made by route()`);
      return { path: at, method, declared };
    });
  });
  return (await Promise.all(operations)).flat();
}
