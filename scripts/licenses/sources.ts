import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";
import { EXCEPTIONS, OWN } from "./policy";

const FOLDERS = [
  "contracts/src",
  "contracts/test",
  ...["src", "main", "build", "derive", "test"].map((name) => `circuits/${name}`),
];
const COPYLEFT = /GNU (Affero |Lesser )?General Public License|\b[AL]?GPL-\d/i;

/**
 * Contracts and circuits that are not ours to license, a line each: a contract whose header says anything else than our
 * license, a text under the GPL, a circuit that includes a file from outside `circuits/`.
 *
 * @param circomlib whether circuits may include circomlib: only while it is an exception
 */
export function sourceFaults(root: string = ROOT, circomlib: boolean = isException("circomlib")): string[] {
  return FOLDERS.filter((folder) => existsSync(path.join(root, folder))).flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(sol|circom|ts)$/.test(file))
      .sort()
      .flatMap((file) => {
        const name = path.posix.join(folder, file.split(path.sep).join("/"));
        return faultsOfSource(root, name, circomlib).map((fault) => `${name} ${fault}`);
      }),
  );
}

function faultsOfSource(root: string, name: string, circomlib: boolean): string[] {
  const text = readFileSync(path.join(root, name), "utf8");
  const faults: string[] = [];
  const [, license] = /SPDX-License-Identifier: (\S+)/.exec(text) ?? [];
  if (license !== OWN && (license !== undefined || name.endsWith(".sol"))) {
    faults.push(`says ${license ?? "nothing"}, not ${OWN}`);
  }
  if (COPYLEFT.test(text)) faults.push("has a text under the GPL");
  if (name.endsWith(".circom")) {
    for (const [, included = ""] of text.matchAll(/^\s*include\s+"([^"]*)"/gm)) {
      if (!isOurs(root, name, included, circomlib)) faults.push(`includes ${included}, which is not in circuits/`);
    }
  }
  return faults;
}

/** The compiler takes a file beside the circuit first, then one of circomlib. */
function isOurs(root: string, name: string, included: string, circomlib: boolean): boolean {
  const beside = path.join(root, path.dirname(name), included);
  if (beside.startsWith(path.join(root, "circuits") + path.sep) && existsSync(beside)) return true;
  return circomlib && existsSync(path.join(root, "node_modules/circomlib/circuits", included));
}

function isException(name: string): boolean {
  return EXCEPTIONS.some((one) => one.name === name);
}
