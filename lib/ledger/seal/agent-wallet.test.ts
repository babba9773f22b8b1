import fc from "fast-check";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { bytes, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { UnsealFailed } from "../crypto/errors";
import type { Scope } from "../crypto/scope";
import { openAgentWallet, SEALED_AGENT_WALLET_LENGTH, sealAgentWallet } from "./agent-wallet";

const privateKey = generatePrivateKey();
const agent = privateKeyToAddress(privateKey);

const otherScopes = (sc: Scope): Scope[] => [
  { ...sc, chainId: sc.chainId === 4663 ? 46630 : 4663 },
  { ...sc, ledger: sc.ledger === agent ? `0x${"01".repeat(20)}` : agent },
];

describe("an agent's sealed wallet key", () => {
  it("opens with the agent's secret, on its ledger, unchanged; with nothing else", () => {
    fc.assert(
      fc.property(scope, bytes(32), fc.nat(), (sc, secret, bit) => {
        const sealed = sealAgentWallet(secret, { scope: sc, agent }, privateKey);
        expect(sealed).toHaveLength(SEALED_AGENT_WALLET_LENGTH);
        expect(openAgentWallet(secret, { scope: sc, agent }, sealed)).toBe(privateKey);
        expect(() => openAgentWallet(withBitFlipped(secret, bit), { scope: sc, agent }, sealed)).toThrow(UnsealFailed);
        expect(() => openAgentWallet(secret, { scope: sc, agent }, withBitFlipped(sealed, bit))).toThrow(UnsealFailed);
        for (const other of otherScopes(sc)) {
          expect(() => openAgentWallet(secret, { scope: other, agent }, sealed)).toThrow(UnsealFailed);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("opens for the agent it was sealed for alone, also once another key signs for that agent", () => {
    const sc: Scope = { chainId: 4663, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` };
    const secret = new Uint8Array(32).fill(7);
    const replaced = generatePrivateKey();
    const sealed = sealAgentWallet(secret, { scope: sc, agent }, replaced);
    expect(openAgentWallet(secret, { scope: sc, agent }, sealed)).toBe(replaced);
    const other = privateKeyToAddress(replaced);
    expect(() => openAgentWallet(secret, { scope: sc, agent: other }, sealed)).toThrow(UnsealFailed);
  });

  it("is a private key: nothing else is sealed", () => {
    const sc: Scope = { chainId: 4663, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` };
    for (const key of [`0x${"00".repeat(32)}`, `0x${"ff".repeat(32)}`] as const) {
      expect(() => sealAgentWallet(new Uint8Array(32).fill(7), { scope: sc, agent }, key)).toThrow(UnsealFailed);
    }
  });
});
