import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { curves, powersOfTau, type VerificationKey, zKey } from "snarkjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adoptKeys } from "../build/adopt.ts";
import { differences } from "../build/check.ts";
import { CIRCUITS } from "../build/circuits.ts";
import { contributionsFault, readContributions, readPhaseOneContributions } from "../build/contributions.ts";
import { optimisedConstraints } from "../build/kept.ts";
import { artifacts, MANIFEST_FILE, PTAU_FILE } from "../build/paths.ts";
import { phaseOneFault } from "../build/phase-one-fault.ts";
import { renderVerificationKey, verificationKeyFault } from "../build/verification-key.ts";
import { endSnarkjs } from "./subject.ts";

afterAll(endSnarkjs);

describe("the committed keys", () => {
  test.each(CIRCUITS.map(({ name }) => name))(
    "%s: gamma differs from delta, a beacon follows a contribution",
    async (name) => {
      const vkey: VerificationKey = JSON.parse(await readFile(artifacts(name).vkey, "utf8"));
      expect(verificationKeyFault(vkey)).toBeNull();
      expect(await readContributions(artifacts(name).zkey)).toEqual(["contribution", "beacon"]);
    },
  );

  test("a verification key with delta set to gamma is refused", async () => {
    const vkey: VerificationKey = JSON.parse(await readFile(artifacts("transfer").vkey, "utf8"));
    expect(verificationKeyFault({ ...vkey, vk_delta_2: vkey.vk_gamma_2 })).toContain("gamma equals delta");
  });
});

describe("a proving key nobody contributed to", () => {
  let folder: string;
  let zkey: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "halcyon-keys-"));
    zkey = join(folder, "release.zkey");
    await zKey.newZKey((await optimisedConstraints("release", folder)).r1cs, PTAU_FILE, zkey);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("has delta equal to gamma and is refused for it", async () => {
    expect(verificationKeyFault(JSON.parse(await renderVerificationKey(zkey)))).toContain("gamma equals delta");
  });

  test("is refused for its missing contributions", async () => {
    expect(contributionsFault(await readContributions(zkey), true)).toContain("has: none");
  });
});

describe("powers of tau for real money", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "halcyon-ptau-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("are never the development ones: adopting them is refused before anything is verified or written", async () => {
    await copyFile(PTAU_FILE, join(folder, "powers-of-tau.ptau"));
    const before = await readFile(MANIFEST_FILE, "utf8");
    const said: string[] = [];
    await expect(adoptKeys(folder, (line) => said.push(line))).rejects.toThrow("development powers of tau");
    expect(said).toEqual([]);
    expect(await readFile(MANIFEST_FILE, "utf8")).toBe(before);
  });

  test("are never of one person, whatever the file is called, nor of a ceremony nobody knows", async () => {
    const curve = await curves.getCurveFromName("bn128");
    const files = [0, 1, 2].map((made) => join(folder, `powersOfTau28_hez_final_13_${made}.ptau`)) as [
      string,
      string,
      string,
    ];
    await powersOfTau.newAccumulator(curve, 2, files[0]);
    await powersOfTau.contribute(files[0], files[1], "first", "entropy");
    await powersOfTau.contribute(files[1], files[2], "second", "entropy");
    expect(readPhaseOneContributions(await readFile(PTAU_FILE))).toEqual(["contribution", "beacon"]);
    expect(readPhaseOneContributions(await readFile(files[2]))).toEqual(["contribution", "contribution"]);
    expect(await phaseOneFault(files[0])).toContain("has 0 of at least 2");
    expect(await phaseOneFault(files[1])).toContain("has 1 of at least 2");
    expect(await phaseOneFault(files[2])).toContain("BLAKE2b hash differs");
  });

  test("have the hash that snarkjs publishes", async () => {
    const [published, rule] = await Promise.all([
      readFile("node_modules/snarkjs/README.md", "utf8"),
      readFile("circuits/build/phase-one-fault.ts", "utf8"),
    ]);
    const row = published.split("\n").find((line) => line.includes("[powersOfTau28_hez_final_13.ptau]"));
    expect(rule).toContain(/[0-9a-f]{128}/.exec(row ?? "")?.[0]);
  });
});

describe("contributions", () => {
  test.each([[["beacon"]], [["contribution"]], [["beacon", "contribution"]], [["beacon", "beacon"]]] as const)(
    "%j is refused",
    (list) => {
      expect(contributionsFault([...list], true)).not.toBeNull();
    },
  );

  test("one contribution and a beacon make a development key, but not a multi-party key", () => {
    expect(contributionsFault(["contribution", "beacon"], true)).toBeNull();
    expect(contributionsFault(["contribution", "beacon"], false)).toContain("2 or more");
    expect(contributionsFault(["contribution", "contribution", "beacon"], false)).toBeNull();
  });
});

describe("the comparison with the manifest", () => {
  test("names each value that differs, is missing or is new", () => {
    const recorded = { constraints: 967, r1cs: "aa", sources: { "a.circom": "1" } };
    const found = { constraints: 968, r1cs: "aa", sources: { "b.circom": "1" } };
    expect(differences("transfer", recorded, found)).toEqual([
      "transfer constraints: recorded 967, found 968",
      'transfer sources a.circom: recorded "1", found undefined',
      'transfer sources b.circom: recorded undefined, found "1"',
    ]);
  });

  test("says nothing of equal values", () => {
    expect(differences("transfer", { a: ["x"] }, { a: ["x"] })).toEqual([]);
  });
});
