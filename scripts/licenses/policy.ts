import type { LockedPackage } from "./packages";

/** Licenses that ask for no more than a notice, and two that bind changed files of their own alone (MPL, OFL). */
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

/** Whether an SPDX expression leaves us a license we may use. */
export function isAllowed(expression: string): boolean {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  if (text.includes(" AND ")) return text.split(" AND ").every(isAllowed);
  return text.split(" OR ").some((part) => ALLOWED.has(part));
}

/** What stands in the way of shipping these packages: a line each. No package is excepted. */
export function faultsOf(packages: readonly Pick<LockedPackage, "name" | "version" | "license">[]): string[] {
  return packages
    .filter(({ license }) => !isAllowed(license))
    .map(({ name, version, license }) => `${name}@${version} is licensed ${license}`);
}
