import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { declarationOf, type RouteHandler } from "@/lib/http/declared-route";
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
