import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { GET } from "@/app/third-party-notices.txt/route";
import { browserWorkerSource } from "@/lib/prover/worker-source";
import root from "@/package.json";
import { ROOT } from "../stack/config";
import { NOTICES, noticesFor } from "./notices";
import { productionPackages } from "./packages";
import { EXCEPTIONS, faultsOf, isAllowed, OWN, staleExceptions } from "./policy";
import { sourceFaults } from "./sources";

test("nothing in the product is under a license we may not ship, but for the exceptions that are named", () => {
  const packages = productionPackages();
  expect(packages.length).toBeGreaterThan(100);
  expect(faultsOf(packages)).toEqual([]);
});

test("no contract or circuit is under another license than ours, contains a text under the GPL or includes others", () => {
  expect(sourceFaults()).toEqual([]);
});

test("a contract or circuit of others is refused, whichever way it comes", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "halcyon-sources-"));
  const put = (file: string, text: string) => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  put("contracts/src/verifiers/A.sol", "// SPDX-License-Identifier: GPL-3.0\n");
  put("contracts/src/B.sol", "contract B {}\n");
  put("contracts/src/C.sol", "// SPDX-License-Identifier: Apache-2.0\n// under the GNU General Public License\n");
  put("contracts/src/D.sol", "// SPDX-License-Identifier: Apache-2.0\n");
  put("circuits/src/e.circom", 'include "poseidon.circom";\n');
  put("circuits/src/f.circom", 'include "e.circom";\n');
  put(
    "circuits/main/g.circom",
    'include "../src/f.circom";\ninclude "../../node_modules/circomlib/circuits/bitify.circom";\n',
  );
  put("node_modules/circomlib/circuits/poseidon.circom", "");
  put("node_modules/circomlib/circuits/bitify.circom", "");
  expect(sourceFaults(folder)).toEqual([
    "contracts/src/B.sol says nothing, not Apache-2.0",
    "contracts/src/C.sol has a text under the GPL",
    "contracts/src/verifiers/A.sol says GPL-3.0, not Apache-2.0",
    "contracts/src/verifiers/A.sol has a text under the GPL",
    "circuits/src/e.circom includes poseidon.circom, which is not in circuits/",
    "circuits/main/g.circom includes ../../node_modules/circomlib/circuits/bitify.circom, which is not in circuits/",
  ]);
  rmSync(folder, { recursive: true });
});

test("another package under the GPL is refused, and so is one that says nothing", () => {
  const version = "1.0.0";
  expect(faultsOf([{ name: "snarkjs", version, license: "GPL-3.0" }])).toEqual(["snarkjs@1.0.0 is licensed GPL-3.0"]);
  expect(faultsOf([{ name: "strange", version, license: "unknown" }])).toHaveLength(1);
  expect(faultsOf([{ name: "libvips", version, license: "LGPL-3.0-or-later" }])).toHaveLength(1);
  // An exception is for the license it was made for.
  expect(faultsOf([{ name: "wasmcurves", version, license: "AGPL-3.0" }])).toHaveLength(1);
});

test("of several licenses to choose from one will do; of several that all apply none may be missing", () => {
  expect(isAllowed("(MIT OR GPL-3.0)")).toBe(true);
  expect(isAllowed("MIT AND GPL-3.0")).toBe(false);
  expect(isAllowed("Apache-2.0 AND MIT")).toBe(true);
});

test("every exception is in the product, and names the issue that removes it", () => {
  expect(staleExceptions()).toEqual([]);
  for (const { removedBy } of EXCEPTIONS) expect(removedBy).toMatch(/^issue \d+, /);
});

test("our own code says under which license it is", () => {
  expect(root.license).toBe(OWN);
  expect(readFileSync(path.join(ROOT, "LICENSE"), "utf8")).toContain("Version 2.0, January 2004");
});

test("the notices of a package list all it depends on", () => {
  const notices = noticesFor(["wasmcurves"]);
  expect(notices).toMatch(/^wasmcurves \S+ {2}GPL-3.0$/m);
  expect(notices).toMatch(/^wasmbuilder \S+ {2}GPL-3.0$/m);
  expect(notices).not.toMatch(/^next /m);
});

test("scripts of the browser name the address of the notices, which has those of wasmcurves", async () => {
  for (const worker of ["lib/prover/browser-worker.ts", "components/vault/worker.ts"] as const) {
    expect((await browserWorkerSource(ROOT, worker)).split("\n", 1)[0]).toContain("/third-party-notices.txt");
  }
  const served = await (await GET()).text();
  expect(served).toBe(readFileSync(NOTICES, "utf8"));
  expect(served).toMatch(/^wasmcurves \d+\.\d+\.\d+ {2}GPL-3.0$/m);
});
