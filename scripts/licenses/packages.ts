import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";

/** A package of the lock file that the product contains, which excludes dev dependencies. */
export interface LockedPackage {
  name: string;
  version: string;
  /** As its author wrote it, usually an SPDX expression. */
  license: string;
  /** Where it is installed, relative to the repository's root. */
  folder: string;
  /** Whether it is installed only on some platforms: native code, and its substitutes. */
  platform: boolean;
  dependencies: string[];
}

interface LockEntry {
  /** The package's name, if it is installed under another one. */
  name?: string;
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Returns all packages of the lock file that are not only for development, sorted by name. */
export function productionPackages(): LockedPackage[] {
  return lockedPackages(({ dev, devOptional }) => !dev && !devOptional);
}

/** Returns packages of the lock file, including dev dependencies. */
export function lockedPackages(wanted: (entry: LockEntry, name: string) => boolean): LockedPackage[] {
  const lock = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8"));
  const entries = Object.entries(lock.packages as Record<string, LockEntry>).filter(([folder]) => folder !== "");
  return entries
    .map(([folder, entry]) => ({ folder, entry, name: folder.slice(folder.lastIndexOf("node_modules/") + 13) }))
    .filter(({ entry, name }) => wanted(entry, name))
    .map(({ folder, entry, name }) => ({
      name: entry.name ?? name,
      version: entry.version ?? "",
      license: entry.license ?? installedLicense(folder) ?? familyLicense(name, entries) ?? "unknown",
      folder,
      platform: Boolean(entry.optional ?? entry.os ?? entry.cpu),
      dependencies: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
    }))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** Returns the license that old packages state as an object or a list of objects instead of an expression. */
function installedLicense(folder: string): string | undefined {
  const file = path.join(ROOT, folder, "package.json");
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, "utf8"));
  const [one] = [license ?? licenses].flat();
  return typeof one === "string" ? one : one?.type;
}

/**
 * Returns the license of a package for another platform, which is not installed, from the package that depends on it.
 */
function familyLicense(name: string, entries: [string, LockEntry][]): string | undefined {
  const owner = entries.find(([, { optionalDependencies }]) => optionalDependencies && name in optionalDependencies);
  return owner?.[1].license;
}
