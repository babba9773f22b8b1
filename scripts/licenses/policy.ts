import type { LockedPackage } from "./packages";

/** Licenses that require only a notice, and two whose terms cover only changes to their own files (MPL, OFL). */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "SIL OPEN FONT LICENSE",
  "Unlicense",
]);

/** The license of our own code. */
export const OWN = "Apache-2.0";

/** Dev dependencies whose code is compiled into what we deploy or serve. */
export const COMPILED_IN = ["@openzeppelin/contracts"] as const;

/** Files of others that this repository contains, with their license beside them. */
export const COPIED: readonly LockedPackage[] = [
  { name: "Noto Emoji", version: "65", license: "OFL-1.1", folder: "app/emoji", platform: false, dependencies: [] },
];

/** Reports whether an SPDX expression includes a license that we may use. */
export function isAllowed(expression: string): boolean {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  if (text.includes(" AND ")) return text.split(" AND ").every(isAllowed);
  return text.split(" OR ").some((part) => ALLOWED.has(part));
}

/** Returns one line for each package that we may not ship. There are no exceptions. */
export function faultsOf(packages: readonly Pick<LockedPackage, "name" | "version" | "license">[]): string[] {
  return packages
    .filter(({ license }) => !isAllowed(license))
    .map(({ name, version, license }) => `${name}@${version} is licensed ${license}`);
}
