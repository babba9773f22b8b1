import { DOORS, type Door, doorOf } from "./doors";
import { NOT_FOUND_PAGE } from "./front";
import type { SharedTarget } from "./shared-responses";

/** One response at a fixed address each. */
const FIXED = new Set(
  Object.values<Door>(DOORS)
    .flatMap(({ cpu, paths }) => (cpu === "kept" ? paths : []))
    .filter((path) => !/[{*]/.test(path)),
);

/** Pages of text and links, which work without scripts. */
const PLAIN = new Map<string, Omit<SharedTarget, "path">>([
  ["/terms", { plain: true }],
  ["/system-status", { plain: true, fresh: true }],
]);

/**
 * Returns what a path asks for, if that is the same for everyone.
 *
 * @param docs the pages below /docs; read once, when the first is asked for
 */
export function sharedTargets(docs: () => Promise<readonly string[]>) {
  let pages: Promise<Set<string>> | undefined;
  const isDocs = async (at: string): Promise<boolean> => {
    pages ??= docs().then((found) => new Set(found));
    pages.catch(() => {
      pages = undefined;
    });
    return (await pages).has(at.replace(/\.md$/, ""));
  };
  return async (at: string): Promise<SharedTarget | undefined> => {
    const door = doorOf(at);
    if (!door) return { path: NOT_FOUND_PAGE, missing: true, plain: true };
    if (PLAIN.has(at)) return { path: at, ...PLAIN.get(at) };
    // A wrong hash of a circuit is a 404, which is not kept.
    if (FIXED.has(at) || (door === DOORS.circuits && !at.endsWith("/"))) return { path: at };
    if (at !== "/docs" && !/^\/docs\/.*[^/]$/.test(at)) return undefined;
    if (await isDocs(at)) return { path: at };
    // One page for all addresses below /docs without one. Those of errors mark another entry of the menu.
    const folder = at.startsWith("/docs/errors/") ? "/docs/errors" : "/docs";
    return { path: `${folder}/-${at.endsWith(".md") ? ".md" : ""}`, missing: true };
  };
}
