import fc from "fast-check";
import { expect, test } from "vitest";
import { LABELS } from "@/test/attacks/attacker";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { toHex } from "./bytes";
import { hkdf } from "./hkdf";
import {
  deriveAgentHalf,
  deriveAuthority,
  deriveFlagKey,
  deriveHeldKey,
  deriveKnowledge,
  derivePaymentKey,
} from "./keys";

test("neither half of the account secret, of any version or agent, leads to the other", () => {
  fc.assert(
    fc.property(bytes(32), scope, address, (accountKey, here, agent) => {
      const versions = [1, 2];
      const knowledge = versions.map((version) => deriveKnowledge(accountKey, here, version));
      const authority = versions.map((version) => deriveAuthority(accountKey, here, version));
      const opens = [...knowledge, ...knowledge.map((k) => deriveAgentHalf(k, agent, here))];
      const signs = [...authority, ...authority.map((a) => deriveAgentHalf(a, agent, here))];
      const reached = (secrets: Uint8Array[]) =>
        new Set(secrets.flatMap((secret) => [secret, ...LABELS.map((label) => hkdf(secret, label, here))]).map(toHex));
      const [fromKnowledge, fromAuthority] = [reached(opens), reached(signs)];
      expect([...fromKnowledge].filter((key) => fromAuthority.has(key))).toEqual([]);
      // What signs for the account, and what opens its balances, come from their own half alone.
      const signer = derivePaymentKey(deriveAuthority(accountKey, here, 1), here);
      expect(opens.map((secret) => derivePaymentKey(secret, here).address)).not.toContain(signer.address);
      const readers = [
        deriveFlagKey(deriveKnowledge(accountKey, here, 1), here),
        deriveHeldKey(knowledge[0] ?? accountKey, here).secret,
      ];
      for (const key of readers) expect(fromAuthority.has(toHex(key))).toBe(false);
    }),
    { numRuns: 10 },
  );
});

test("versions count from 1, in both halves", () => {
  const here = { chainId: 46630, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
  for (const derive of [deriveKnowledge, deriveAuthority]) {
    for (const version of [0, -1, 1.5]) expect(() => derive(new Uint8Array(32), here, version)).toThrow(RangeError);
  }
});
