import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage, type SiweMessage } from "viem/siwe";
import { describe, expect, it } from "vitest";
import { verifySiwe } from "@/lib/auth/verify-siwe";

const ORIGIN = "https://halcyon.example";
const NOW = new Date("2026-11-21T02:00:00Z");
const wallet = privateKeyToAccount(generatePrivateKey());

async function signed(change: Partial<SiweMessage> = {}, signer = wallet) {
  const message = createSiweMessage({
    domain: "halcyon.example",
    address: wallet.address,
    uri: `${ORIGIN}/login`,
    version: "1",
    chainId: 46630,
    nonce: "0123456789abcdef",
    issuedAt: NOW,
    ...change,
  });
  return { message, signature: await signer.signMessage({ message }) };
}

describe("verifySiwe", () => {
  it("gives the wallet, in lower case, and the nonce to use up", async () => {
    expect(await verifySiwe(await signed(), ORIGIN, NOW)).toEqual({
      address: wallet.address.toLowerCase(),
      nonce: "0123456789abcdef",
    });
  });

  it.each<[string, Partial<SiweMessage>]>([
    ["another domain", { domain: "phisher.example" }],
    ["another origin", { uri: "https://phisher.example" }],
    ["a chain that is none of ours", { chainId: 1 }],
    ["an expired message", { expirationTime: new Date(NOW.getTime() - 1) }],
    ["a message not valid yet", { notBefore: new Date(NOW.getTime() + 1000) }],
    ["a message of the future", { issuedAt: new Date(NOW.getTime() + 120_000) }],
  ])("refuses %s", async (_, change) => {
    expect(await verifySiwe(await signed(change), ORIGIN, NOW)).toBeNull();
  });

  it("refuses another wallet's signature, a damaged one, and text that is no message", async () => {
    const stranger = privateKeyToAccount(generatePrivateKey());
    const good = await signed();
    expect(await verifySiwe(await signed({}, stranger), ORIGIN, NOW)).toBeNull();
    expect(await verifySiwe({ ...good, signature: `${good.signature.slice(0, -2)}ff` }, ORIGIN, NOW)).toBeNull();
    expect(await verifySiwe({ ...good, signature: "0x" }, ORIGIN, NOW)).toBeNull();
    expect(await verifySiwe({ ...good, message: "hello" }, ORIGIN, NOW)).toBeNull();
  });
});
