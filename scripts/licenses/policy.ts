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

/** Native libraries of others, linked when the server starts and replaceable by anyone: no condition on our code. */
const LINKED: readonly { name: RegExp; license: string }[] = [
  // Next's image optimizer; the product shows no optimized image, and runs without it.
  { name: /^@img\/sharp-/, license: "LGPL-3.0-or-later" },
];

/** Dev dependencies whose code is compiled into what we deploy or serve. */
export const COMPILED_IN = ["@openzeppelin/contracts"] as const;

/** Whether an SPDX expression leaves us a license we may use. */
export function isAllowed(expression: string, allowed: ReadonlySet<string> = ALLOWED): boolean {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  if (text.includes(" AND ")) return text.split(" AND ").every((part) => isAllowed(part, allowed));
  return text.split(" OR ").some((part) => allowed.has(part));
}

/** What stands in the way of shipping these packages: a line each. */
export function faultsOf(packages: readonly Pick<LockedPackage, "name" | "version" | "license">[]): string[] {
  return packages
    .filter(({ name, license }) => {
      const linked = LINKED.filter((one) => one.name.test(name)).map((one) => one.license);
      return !isAllowed(license, new Set([...ALLOWED, ...linked]));
    })
    .map(({ name, version, license }) => `${name}@${version} is licensed ${license}`);
}
