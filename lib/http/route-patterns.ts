import { readdirSync } from "node:fs";
import path from "node:path";

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

function patternOfSegment(segment: string): string {
  if (/^\[+\.\.\./.test(segment)) return "*";
  return segment.replace(/^\[(.*)\]$/, "{$1}");
}

function expressionOfSegment(segment: string): string {
  if (/^\[+\.\.\./.test(segment)) return ".+";
  return segment.startsWith("[") ? "[^/]+" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
