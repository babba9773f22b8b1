import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";

/** A package of the lock file that a running product has: no dev dependency. */
export interface LockedPackage {
  name: string;
  version: string;
  /** As its author wrote it: mostly an SPDX expression. */
  license: string;
  /** Where it is installed, from the repository's root. */
  folder: string;
  /** Installed on some machines alone: native code, and what stands in for it. */
  platform: boolean;
  dependencies: string[];
}

interface LockEntry {
  /** Of one that is installed under another name. */
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

/** Everything in the lock file that is not for development alone, in the order of names. */
export function productionPackages(): LockedPackage[] {
  return lockedPackages(({ dev, devOptional }) => !dev && !devOptional);
}

/** Packages of the lock file, dev dependencies among them. */
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

/** What old packages write instead of an expression: an object, or a list of them. */
function installedLicense(folder: string): string | undefined {
  const file = path.join(ROOT, folder, "package.json");
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, "utf8"));
  const [one] = [license ?? licenses].flat();
  return typeof one === "string" ? one : one?.type;
}

/** Of a package for another platform, which is not installed: that of the package it is a part of. */
function familyLicense(name: string, entries: [string, LockEntry][]): string | undefined {
  const owner = entries.find(([, { optionalDependencies }]) => optionalDependencies && name in optionalDependencies);
  return owner?.[1].license;
}
