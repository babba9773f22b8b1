import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { MethodsOf } from "./front";

const EXPORTED =
  /^export (?:const|(?:async )?function) (GET|POST|PUT|PATCH|DELETE)\b|\bas (GET|POST|PUT|PATCH|DELETE)\b/gm;

/**
 * Reads which paths there are below `app/api`, and which methods each serves: Next responds to all others without a
 * body or in HTML. (Those of /v1 are a promise, and written down: lib/http/routes.ts.)
 *
 * @param app the folder `app`
 */
export function readSessionRoutes(app: string): MethodsOf {
  const routes = readdirSync(path.join(app, "api"), { withFileTypes: true, recursive: true })
    .filter(({ name }) => name === "route.ts")
    .map(({ parentPath }) => ({
      pattern: `/${path.relative(app, parentPath).split(path.sep).join("/")}`,
      source: readFileSync(path.join(parentPath, "route.ts"), "utf8"),
    }))
    // Fixed segments before those that take any text.
    .sort((a, b) => (a.pattern.replaceAll("[", "~") < b.pattern.replaceAll("[", "~") ? -1 : 1))
    .map(({ pattern, source }) => ({
      expression: new RegExp(`^${pattern.replace(/\[\.\.\.\w+\]/g, ".+").replace(/\[\w+\]/g, "[^/]+")}$`),
      methods: [...source.matchAll(EXPORTED)].map(([, declared, renamed]) => declared ?? renamed ?? ""),
    }));
  return (at) => routes.find(({ expression }) => expression.test(at))?.methods;
}
