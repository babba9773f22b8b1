import path from "node:path";
import { fileOf, type Import } from "./imports";

/** Returns the folder that a file counts for; undefined leaves the file out. */
export type FolderOf = (file: string) => string | undefined;

/** Each folder on its own: `lib/payments/approvals` is not part of `lib/payments`. */
export const ownFolder: FolderOf = (file) => path.posix.dirname(file);

/** A first-level folder with everything below it: `lib/payments/approvals/hold.ts` is part of `lib/payments`. */
export const moduleFolder: FolderOf = (file) => path.posix.dirname(file).split("/").slice(0, 2).join("/");

/**
 * Returns the groups of folders that import each other, directly or indirectly, values or types. Each group lists the
 * imports that cause it: `lib/a -> lib/b: lib/a/x.ts imports lib/b/y.ts`.
 */
export function cyclesOf(
  files: readonly string[],
  importsOfFile: (file: string) => readonly Pick<Import, "to">[],
  folderOf: FolderOf = ownFolder,
): string[][] {
  const inside = new Set(files);
  const edges = new Map<string, Map<string, string>>();
  for (const file of files) {
    for (const { to } of importsOfFile(file)) {
      const target = fileOf(to);
      const [from, folder] = [folderOf(file), inside.has(target) ? folderOf(target) : undefined];
      if (from === undefined || folder === undefined || folder === from) continue;
      const targets = edges.get(from) ?? new Map<string, string>();
      if (!targets.has(folder)) targets.set(folder, `${from} -> ${folder}: ${file} imports ${target}`);
      edges.set(from, targets);
    }
  }
  const reachedBy = new Map([...edges.keys()].map((from) => [from, reach(from, edges)]));
  const cycles = new Map<string, string[]>();
  for (const [from, targets] of edges) {
    for (const [to, text] of targets) {
      if (!reachedBy.get(to)?.has(from)) continue;
      const group = [...(reachedBy.get(from) ?? [])].filter((one) => reachedBy.get(one)?.has(from)).sort()[0] ?? from;
      cycles.set(group, [...(cycles.get(group) ?? []), text]);
    }
  }
  return [...cycles.values()];
}

/** Returns every folder that can be reached from a folder through imports. */
function reach(from: string, edges: ReadonlyMap<string, ReadonlyMap<string, string>>): Set<string> {
  const seen = new Set<string>();
  const next = [from];
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    for (const to of edges.get(folder)?.keys() ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      next.push(to);
    }
  }
  return seen;
}
