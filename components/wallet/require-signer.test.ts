import type { Hex, TypedDataDefinition } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { requireConnectedSigner } from "./require-signer";

const WALLET = "0x00000000000000000000000000000000000c0de5";
const signer = privateKeyToAccount(generatePrivateKey());

function data(primaryType: string): TypedDataDefinition {
  const types: Record<string, unknown> = { [primaryType]: [{ name: "account", type: "address" }] };
  const message = { account: WALLET };
  return { domain: { name: "Halcyon", chainId: 46630 }, types, primaryType, message } as TypedDataDefinition;
}

const check = async (primaryType: string, owner: Hex, isContract: boolean, last?: string) => {
  const signature = await signer.signTypedData(data(primaryType));
  const changed = last === undefined ? signature : (`${signature.slice(0, -2)}${last}` as Hex);
  return requireConnectedSigner(data(primaryType), changed, owner, isContract);
};

test("an account's own signature is taken, another account's is named, with what to do", async () => {
  await check("Enroll", signer.address, false);
  await check("Unlock", signer.address, false);
  await expect(check("Enroll", WALLET, false)).rejects.toMatchObject({ code: "unauthorized" });
  await expect(check("Unlock", WALLET, false)).rejects.toThrow(signer.address);
});

// A Safe with one signer returns that signer's 65 bytes, or marks their kind in the last byte.
test("a contract wallet's signature of 65 bytes is left to its code, no matter whose key it seems to be", async () => {
  for (const last of [undefined, "1f", "20", "01", "00"]) await check("Enroll", WALLET, true, last);
});

test("a contract wallet does not unlock an account by signing; one with a key of its own (EIP-7702) does", async () => {
  await expect(check("Unlock", WALLET, true)).rejects.toThrow("recovery code");
  await expect(requireConnectedSigner(data("Unlock"), `0x${"ab".repeat(130)}`, WALLET, true)).rejects.toThrow(
    "recovery code",
  );
  await check("Unlock", signer.address, true);
});
