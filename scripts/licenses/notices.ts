import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";
import { type LockedPackage, lockedPackages, productionPackages } from "./packages";
import { COMPILED_IN, COPIED } from "./policy";

/** The file with the notices of everything the product contains. */
export const NOTICES = path.join(ROOT, "THIRD_PARTY_NOTICES");

const RULE = "-".repeat(80);

/** Returns the notices of the whole product. */
export function productNotices(): string {
  const compiled = lockedPackages((_, name) => (COMPILED_IN as readonly string[]).includes(name));
  const list = [...productionPackages(), ...compiled, ...COPIED];
  return noticesOf(list, [
    "Halcyon contains, or installs, what is listed here. Our own code is under the Apache License 2.0 (LICENSE).",
    "Made by `npm run licenses`; CI compares it with the lock file.",
  ]);
}

/** Returns the notices of some packages of the lock file and all their dependencies. */
export function noticesFor(names: readonly string[]): string {
  const all = new Map(productionPackages().map((one) => [one.name, one]));
  const found = new Map<string, LockedPackage>();
  const visit = (name: string) => {
    const one = all.get(name);
    if (!one || found.has(name)) return;
    found.set(name, one);
    one.dependencies.forEach(visit);
  };
  names.forEach(visit);
  const list = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return noticesOf(list, ["This package needs what is listed here, each under its own license."]);
}

function noticesOf(list: readonly LockedPackage[], introduction: readonly string[]): string {
  // Packages for single platforms contain their own license texts. Leave them out, so that every machine writes the
  // same file.
  const texts = new Map<string, string[]>();
  for (const one of list.filter(({ platform }) => !platform)) {
    const text = licenseText(one.folder);
    texts.set(text, [...(texts.get(text) ?? []), nameOf(one)]);
  }
  const parts = [
    ["THIRD-PARTY NOTICES", "", ...introduction],
    [...new Set(list.map((one) => `${nameOf(one)}  ${one.license}`))],
    ...[...texts].map(([text, names]) => [...new Set(names), "", text || "It comes without a text of its license."]),
  ];
  return `${parts.map((lines) => lines.join("\n")).join(`\n\n${RULE}\n\n`)}\n`;
}

const nameOf = ({ name, version }: LockedPackage) => `${name} ${version}`;

/** Returns a package's license and notice files. */
function licenseText(folder: string): string {
  const at = path.join(ROOT, folder);
  if (!existsSync(at)) throw new Error(`${folder} is not installed: npm ci`);
  const files = readdirSync(at).filter((file) => /^(licen[cs]e|copying|notice)([-.]\w+)*$/i.test(file));
  const texts = files.sort().map((file) => readFileSync(path.join(at, file), "utf8"));
  const clean = texts.map((text) =>
    text
      .replaceAll("\r\n", "\n")
      .replace(/[ \t]+$/gm, "")
      .trim(),
  );
  return clean.join("\n\n");
}
