import { hashMessage } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage, type SiweMessage } from "viem/siwe";
import { describe, expect, it } from "vitest";
import { verifySiwe } from "@/lib/http/auth/verify-siwe";

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

/** No contract exists at the wallet's address. */
const noContract = async () => false;

/** Signs a text as it is, because the library would refuse to write some of them. */
async function signedText(change: (message: string) => string) {
  const message = change((await signed()).message);
  return { message, signature: await wallet.signMessage({ message }) };
}

describe("verifySiwe", () => {
  it.each<[string, Partial<SiweMessage>]>([
    ["a statement", { statement: "Sign in to Halcyon." }],
    ["the scheme of our origin", { scheme: "https" }],
    [
      "a clock five minutes fast",
      { issuedAt: new Date(NOW.getTime() + 300_000), notBefore: new Date(NOW.getTime() + 300_000) },
    ],
    ["a clock almost five minutes slow", { expirationTime: new Date(NOW.getTime() - 299_999) }],
    [
      "everything a message may hold",
      {
        statement: "a",
        requestId: "x",
        resources: ["https://a.example/b", "ipfs://c"],
        expirationTime: new Date(NOW.getTime() + 1),
        notBefore: NOW,
      },
    ],
  ])("takes a message with %s", async (_, change) => {
    expect(await verifySiwe(await signed(change), ORIGIN, NOW)).not.toBeNull();
  });

  it.each<[string, (message: string) => string]>([
    ["of another version", (message) => message.replace("Version: 1", "Version: 2")],
    ["of version 10", (message) => message.replace("Version: 1", "Version: 10")],
    ["of another scheme than our origin's", (message) => `http://${message}`],
    ["with text behind it", (message) => `${message}\nand pay the bearer`],
    ["with text behind its resources", (message) => `${message}\nResources:\n- https://a.example\nand more`],
    ["with text in front of it", (message) => `Read this first.\n${message}`],
    ["with a statement of two lines", (message) => message.replace("\n\n\n", "\n\none\ntwo\n\n")],
    ["with a field twice", (message) => message.replace("Version: 1", "Version: 1\nVersion: 1")],
  ])("refuses a message %s", async (_, change) => {
    expect(await verifySiwe(await signedText(change), ORIGIN, NOW, noContract)).toBeNull();
  });

  it("gives the wallet, in lower case, and the nonce to use up", async () => {
    expect(await verifySiwe(await signed(), ORIGIN, NOW)).toEqual({
      address: wallet.address.toLowerCase(),
      nonce: "0123456789abcdef",
      onlyOn: null,
    });
  });

  it.each<[string, Partial<SiweMessage>]>([
    ["another domain", { domain: "phisher.example" }],
    ["another origin", { uri: "https://phisher.example" }],
    ["a chain that is none of ours", { chainId: 1 }],
    ["an expired message", { expirationTime: new Date(NOW.getTime() - 300_000) }],
    ["a message not valid yet", { notBefore: new Date(NOW.getTime() + 300_001) }],
    ["a message of the future", { issuedAt: new Date(NOW.getTime() + 300_001) }],
  ])("refuses %s", async (_, change) => {
    expect(await verifySiwe(await signed(change), ORIGIN, NOW, noContract)).toBeNull();
  });

  it("refuses another wallet's signature, a damaged one, and text that is no message", async () => {
    const stranger = privateKeyToAccount(generatePrivateKey());
    const good = await signed();
    expect(await verifySiwe(await signed({}, stranger), ORIGIN, NOW, noContract)).toBeNull();
    expect(
      await verifySiwe({ ...good, signature: `${good.signature.slice(0, -2)}ff` }, ORIGIN, NOW, noContract),
    ).toBeNull();
    expect(await verifySiwe({ ...good, signature: "0x" }, ORIGIN, NOW, noContract)).toBeNull();
    expect(await verifySiwe({ ...good, message: "hello" }, ORIGIN, NOW, noContract)).toBeNull();
  });

  it("asks the contract at the wallet's address about another signature: the session is for its network alone", async () => {
    const signature = `0x${"ab".repeat(130)}`;
    for (const chainId of [46630, 4663] as const) {
      const { message } = await signed({ chainId });
      const asked: unknown[] = [];
      const accepts = async (...question: unknown[]) => asked.push(question) > 0;
      expect(await verifySiwe({ message, signature }, ORIGIN, NOW, accepts)).toMatchObject({ onlyOn: chainId });
      expect(asked).toEqual([[chainId, wallet.address.toLowerCase(), hashMessage(message), signature]]);
      expect(await verifySiwe({ message, signature }, ORIGIN, NOW, noContract)).toBeNull();
      const long = `0x${"ab".repeat(4097)}`;
      expect(await verifySiwe({ message, signature: long }, ORIGIN, NOW, accepts)).toBeNull();
    }
  });
});
