import { readdirSync } from "node:fs";
import path from "node:path";
import { CHAIN_ID } from "@/lib/base/network";

/** Returns the pattern of a path, for `http.route`. */
type PatternOf = (path: string) => string;

/** One name for all paths without a route, so that strangers can't create any number of time series. */
export const UNMATCHED = "unmatched";

interface DynamicPattern {
  expression: RegExp;
  pattern: string;
}

/**
 * Reads the routes and pages below `app` (Next.js's file conventions). Maps a path such as `/v1/transfers/tr_01KAD…` to
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
  // As in Next.js, a page of its own goes before one that takes the rest of the path.
  dynamic.sort((a, b) => Number(a.pattern.endsWith("*")) - Number(b.pattern.endsWith("*")));
  return (target) => {
    if (fixed.has(target)) return target;
    if (target.startsWith("/_next/")) return "/_next/*";
    return dynamic.find(({ expression }) => expression.test(target))?.pattern ?? UNMATCHED;
  };
}

function patternOfSegment(segment: string): string {
  if (/^\[+\.\.\./.test(segment)) return "*";
  return segment.replace(/^\[(.*)\]$/, "{$1}");
}

function expressionOfSegment(segment: string): string {
  if (/^\[+\.\.\./.test(segment)) return ".+";
  if (segment === "[network]") return `(?:${Object.keys(CHAIN_ID).join("|")})`;
  return segment.startsWith("[") ? "[^/]+" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
