import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";
import { OWN } from "./policy";

const FOLDERS = [
  "contracts/src",
  "contracts/test",
  ...["src", "main", "build", "derive", "test"].map((name) => `circuits/${name}`),
];
const COPYLEFT = /GNU (Affero |Lesser )?General Public License|\b[AL]?GPL-\d/i;

/**
 * Returns one line for each contract or circuit that we may not license: a contract whose header names another license
 * than ours, a text under the GPL, a circuit that includes a file from outside `circuits/`.
 */
export function sourceFaults(root: string = ROOT): string[] {
  return FOLDERS.filter((folder) => existsSync(path.join(root, folder))).flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(sol|circom|ts)$/.test(file))
      .sort()
      .flatMap((file) => {
        const name = path.posix.join(folder, file.split(path.sep).join("/"));
        return faultsOfSource(root, name).map((fault) => `${name} ${fault}`);
      }),
  );
}

function faultsOfSource(root: string, name: string): string[] {
  const text = readFileSync(path.join(root, name), "utf8");
  const faults: string[] = [];
  const [, license] = /SPDX-License-Identifier: (\S+)/.exec(text) ?? [];
  if (license !== OWN && (license !== undefined || name.endsWith(".sol"))) {
    faults.push(`says ${license ?? "nothing"}, not ${OWN}`);
  }
  if (COPYLEFT.test(text)) faults.push("has a text under the GPL");
  if (name.endsWith(".circom")) {
    for (const [, included = ""] of text.matchAll(/^\s*include\s+"([^"]*)"/gm)) {
      if (!isOurs(root, name, included)) faults.push(`includes ${included}, which is not in circuits/`);
    }
  }
  return faults;
}

function isOurs(root: string, name: string, included: string): boolean {
  const beside = path.join(root, path.dirname(name), included);
  return beside.startsWith(path.join(root, "circuits") + path.sep) && existsSync(beside);
}
