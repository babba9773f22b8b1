import { readdirSync } from "node:fs";
import path from "node:path";
import { CHAIN_ID } from "@/lib/network";

/** Finds the pattern of a path, as `http.route` has it. */
type PatternOf = (path: string) => string;

/** What has no route: one name for all of it, so that strangers cannot make up metric series. */
export const UNMATCHED = "unmatched";

interface DynamicPattern {
  expression: RegExp;
  pattern: string;
}

/**
 * Reads the routes and pages below `app` (Next's file conventions): `/v1/transfers/tr_01KAD…` is
 * `/v1/transfers/{transfer_id}`.
 *
 * @param app the folder `app`
 */
export function readRoutePatterns(app: string): PatternOf {
  const fixed = new Set<string>();
  const dynamic: DynamicPattern[] = [];
  for (const entry of readdirSync(app, { withFileTypes: true, recursive: true })) {
    if (!/^(route|page)\.tsx?$/.test(entry.name)) continue;
    const segments = path
      .relative(app, entry.parentPath)
      .split(path.sep)
      .filter((segment) => segment !== "" && !/^\(.*\)$/.test(segment));
    const pattern = `/${segments.map(patternOfSegment).join("/")}`;
    if (segments.some((segment) => segment.startsWith("["))) {
      dynamic.push({ expression: new RegExp(`^/${segments.map(expressionOfSegment).join("/")}$`), pattern });
    } else fixed.add(pattern);
  }
  return (target) => {
    if (fixed.has(target)) return target;
    if (target.startsWith("/_next/")) return "/_next/*";
    return dynamic.find(({ expression }) => expression.test(target))?.pattern ?? UNMATCHED;
  };
}

/**
 * The first parts that addresses of a site have: `docs`, `v1` …; of `[network]` the two there are.
 *
 * @param root the folder of `app` and `public`
 */
export function readFolders(root: string): ReadonlySet<string> {
  const namesIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => (/^\(.*\)$/.test(name) ? namesIn(path.join(folder, name)) : [name]));
  const pages = namesIn(path.join(root, "app")).filter((name) => !name.startsWith("["));
  return new Set([...pages, ...namesIn(path.join(root, "public")), ...Object.keys(CHAIN_ID), "_next"]);
}

function patternOfSegment(segment: string): string {
  if (/^\[+\.\.\./.test(segment)) return "*";
  return segment.replace(/^\[(.*)\]$/, "{$1}");
}

function expressionOfSegment(segment: string): string {
  if (/^\[+\.\.\./.test(segment)) return ".+";
  return segment.startsWith("[") ? "[^/]+" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
