import { readFile } from "node:fs/promises";
import type { VerificationKey } from "snarkjs";
import { describe, expect, test } from "vitest";
import { differences } from "../build/check.ts";
import { CIRCUITS } from "../build/circuits.ts";
import { contributionsFault, readContributions } from "../build/contributions.ts";
import { artifacts } from "../build/paths.ts";
import { verificationKeyFault } from "../build/verification-key-fault.ts";

describe("the committed keys", () => {
  test.each(CIRCUITS.map(({ name }) => name))(
    "%s: gamma differs from delta, a beacon follows a contribution",
    async (name) => {
      const vkey: VerificationKey = JSON.parse(await readFile(artifacts(name).vkey, "utf8"));
      expect(verificationKeyFault(vkey)).toBeNull();
      expect(readContributions(await readFile(artifacts(name).zkey))).toEqual(["contribution", "beacon"]);
    },
  );

  test("a verification key with delta set to gamma is refused", async () => {
    const vkey: VerificationKey = JSON.parse(await readFile(artifacts("transfer").vkey, "utf8"));
    expect(verificationKeyFault({ ...vkey, vk_delta_2: vkey.vk_gamma_2 })).toContain("gamma equals delta");
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
