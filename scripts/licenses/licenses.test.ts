import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import root from "@/package.json";
import { ROOT } from "../stack/config";
import { noticesFor } from "./notices";
import { productionPackages } from "./packages";
import { contractFaults, EXCEPTIONS, faultsOf, isAllowed, OWN, staleExceptions } from "./policy";

test("nothing in the product is under a license we may not ship, but for the exceptions that are named", () => {
  const packages = productionPackages();
  expect(packages.length).toBeGreaterThan(100);
  expect(faultsOf(packages)).toEqual([]);
  expect(contractFaults()).toEqual([]);
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
