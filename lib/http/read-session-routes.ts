import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { MethodsOf } from "./front";

const EXPORTED =
  /^export (?:const|(?:async )?function) (GET|POST|PUT|PATCH|DELETE)\b|\bas (GET|POST|PUT|PATCH|DELETE)\b/gm;

/** A route below `/api`. */
interface SessionRoute {
  /** Such as `/api/agents/{agent}/end`. A `*` at the end is the rest of the path. */
  pattern: string;
  methods: readonly string[];
}

/**
 * Reads the routes below `/api`, those with fixed segments before those with a parameter in their place. (The routes of
 * /v1 are a public contract and listed explicitly: lib/http/routes.ts.)
 *
 * @param app the folder `app`
 */
export function readSessionRoutes(app: string): SessionRoute[] {
  return readdirSync(app, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name === "route.ts")
    .map(({ parentPath }) => ({
      at: path
        .relative(app, parentPath)
        .split(path.sep)
        .filter((segment) => !/^\(.*\)$/.test(segment)),
      file: path.join(parentPath, "route.ts"),
    }))
    .filter(({ at: [first] }) => first === "api")
    .map(({ at, file }) => ({
      pattern: `/${at.map((segment) => segment.replace(/^\[\.\.\.\w+\]$/, "*").replace(/^\[(\w+)\]$/, "{$1}")).join("/")}`,
      methods: [...readFileSync(file, "utf8").matchAll(EXPORTED)].map(([, named, renamed]) => named ?? renamed ?? ""),
    }))
    .sort((a, b) => (a.pattern.replaceAll("{", "~") < b.pattern.replaceAll("{", "~") ? -1 : 1));
}

/** Finds the methods of a path. For a path without a route, Next.js would respond without a body or in HTML. */
export function methodsOfRoutes(routes: readonly SessionRoute[]): MethodsOf {
  const expressions = routes.map(({ pattern, methods }) => ({
    expression: new RegExp(`^${pattern.replace(/\*$/, ".+").replace(/\{\w+\}/g, "[^/]+")}$`),
    methods,
  }));
  return (at) => expressions.find(({ expression }) => expression.test(at))?.methods;
}
