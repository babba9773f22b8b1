import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { GET } from "@/app/third-party-notices.txt/route";
import { workerFiles } from "@/lib/prover/worker-source";
import root from "@/package.json";
import { ROOT } from "../stack/config";
import { NOTICES, noticesFor } from "./notices";
import { productionPackages } from "./packages";
import { faultsOf, isAllowed, OWN } from "./policy";
import { sourceFaults } from "./sources";

test("nothing in the product is under a license we may not ship", () => {
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

test("a package under the GPL is refused, whatever it is, and so is one that says nothing", () => {
  const version = "1.0.0";
  expect(faultsOf([{ name: "snarkjs", version, license: "GPL-3.0" }])).toEqual(["snarkjs@1.0.0 is licensed GPL-3.0"]);
  expect(faultsOf([{ name: "strange", version, license: "unknown" }])).toHaveLength(1);
  // Third-party native libraries are no exception, whether or not anything calls them.
  expect(faultsOf([{ name: "@img/sharp-libvips-linux-x64", version, license: "LGPL-3.0-or-later" }])).toHaveLength(1);
  expect(faultsOf([{ name: "wasmcurves", version, license: "GPL-3.0" }])).toHaveLength(1);
});

test("of several licenses to choose from one will do; of several that all apply none may be missing", () => {
  expect(isAllowed("(MIT OR GPL-3.0)")).toBe(true);
  expect(isAllowed("MIT AND GPL-3.0")).toBe(false);
  expect(isAllowed("Apache-2.0 AND MIT")).toBe(true);
});

test("our own code says under which license it is", () => {
  expect(root.license).toBe(OWN);
  expect(readFileSync(path.join(ROOT, "LICENSE"), "utf8")).toContain("Version 2.0, January 2004");
});

test("the notices of a package list all it depends on", () => {
  const notices = noticesFor(["@noble/curves"]);
  expect(notices).toMatch(/^@noble\/curves \S+ {2}MIT$/m);
  expect(notices).toMatch(/^@noble\/hashes \S+ {2}MIT$/m);
  expect(notices).not.toMatch(/^next /m);
});

test("scripts of the browser name the address of the notices, and contain nothing of the GPL prover we used before", async () => {
  for (const worker of ["lib/prover/browser-worker.ts", "components/vault/worker.ts"] as const) {
    for (const { source: script } of await workerFiles(ROOT, worker)) {
      expect(script.split("\n", 1)[0]).toContain("/third-party-notices.txt");
      expect(script).not.toMatch(/wasmcurves|frm_fft|g1m_timesScalar/);
    }
  }
  const served = await (await GET()).text();
  expect(served).toBe(readFileSync(NOTICES, "utf8"));
  expect(served).toMatch(/^@noble\/curves \d+\.\d+\.\d+ {2}MIT$/m);
  expect(served).not.toContain("wasmcurves");
});
