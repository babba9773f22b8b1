import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verificationKeyFault } from "../../circuits/build/verification-key-fault";
import { checkKeysFitFor } from "./keys-fit-for";

it("lets the committed keys serve local and test chains", async () => {
  await expect(checkKeysFitFor({ publicLive: false })).resolves.toBeUndefined();
});

it("refuses development keys on the public live chain", async () => {
  await expect(checkKeysFitFor({ publicLive: true })).rejects.toThrow("development keys");
});

it("sees a key without contribution", () => {
  const vkey = JSON.parse(readFileSync("circuits/artifacts/transfer.vkey.json", "utf8"));
  expect(verificationKeyFault({ ...vkey, vk_delta_2: vkey.vk_gamma_2 })).toContain("gamma equals delta");
});
