import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { MethodsOf } from "./front";

const EXPORTED =
  /^export (?:const|(?:async )?function) (GET|POST|PUT|PATCH|DELETE)\b|\bas (GET|POST|PUT|PATCH|DELETE)\b/gm;

/**
 * Reads the paths below `app/api` and their methods. For all others, Next.js would respond without a body or in HTML.
 * (The paths of /v1 are a public contract and listed explicitly: lib/http/routes.ts.)
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
    // Fixed segments come before dynamic ones.
    .sort((a, b) => (a.pattern.replaceAll("[", "~") < b.pattern.replaceAll("[", "~") ? -1 : 1))
    .map(({ pattern, source }) => ({
      expression: new RegExp(`^${pattern.replace(/\[\.\.\.\w+\]/g, ".+").replace(/\[\w+\]/g, "[^/]+")}$`),
      methods: [...source.matchAll(EXPORTED)].map(([, declared, renamed]) => declared ?? renamed ?? ""),
    }));
  return (at) => routes.find(({ expression }) => expression.test(at))?.methods;
}
