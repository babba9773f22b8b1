import fc from "fast-check";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { bytes, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { DecryptionFailed } from "../crypto/errors";
import type { Scope } from "../crypto/scope";
import { decryptAgentWallet, ENCRYPTED_AGENT_WALLET_LENGTH, encryptAgentWallet } from "./agent-wallet";

const privateKey = generatePrivateKey();
const agent = privateKeyToAddress(privateKey);

const otherScopes = (sc: Scope): Scope[] => [
  { ...sc, chainId: sc.chainId === 4663 ? 46630 : 4663 },
  { ...sc, ledger: sc.ledger === agent ? `0x${"01".repeat(20)}` : agent },
];

describe("an agent's encrypted wallet key", () => {
  it("opens with the agent's secret, on its ledger, unchanged; with nothing else", () => {
    fc.assert(
      fc.property(scope, bytes(32), fc.nat(), (sc, secret, bit) => {
        const encrypted = encryptAgentWallet(secret, { scope: sc, agent }, privateKey);
        expect(encrypted).toHaveLength(ENCRYPTED_AGENT_WALLET_LENGTH);
        expect(decryptAgentWallet(secret, { scope: sc, agent }, encrypted)).toBe(privateKey);
        expect(() => decryptAgentWallet(withBitFlipped(secret, bit), { scope: sc, agent }, encrypted)).toThrow(
          DecryptionFailed,
        );
        expect(() => decryptAgentWallet(secret, { scope: sc, agent }, withBitFlipped(encrypted, bit))).toThrow(
          DecryptionFailed,
        );
        for (const other of otherScopes(sc)) {
          expect(() => decryptAgentWallet(secret, { scope: other, agent }, encrypted)).toThrow(DecryptionFailed);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("opens for the agent it was encrypted for alone, also once another key signs for that agent", () => {
    const sc: Scope = { chainId: 4663, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` };
    const secret = new Uint8Array(32).fill(7);
    const replaced = generatePrivateKey();
    const encrypted = encryptAgentWallet(secret, { scope: sc, agent }, replaced);
    expect(decryptAgentWallet(secret, { scope: sc, agent }, encrypted)).toBe(replaced);
    const other = privateKeyToAddress(replaced);
    expect(() => decryptAgentWallet(secret, { scope: sc, agent: other }, encrypted)).toThrow(DecryptionFailed);
  });

  it("is a private key: nothing else is encrypted", () => {
    const sc: Scope = { chainId: 4663, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` };
    for (const key of [`0x${"00".repeat(32)}`, `0x${"ff".repeat(32)}`] as const) {
      expect(() => encryptAgentWallet(new Uint8Array(32).fill(7), { scope: sc, agent }, key)).toThrow(DecryptionFailed);
    }
  });
});
