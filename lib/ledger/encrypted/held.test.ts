import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { address, bytes, positiveUnits, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { DecryptionFailed, InvalidMemo, InvalidUnits } from "../crypto/errors";
import { deriveAgentHalf, deriveHeldKey } from "../crypto/keys";
import { decryptHeld, ENCRYPTED_HELD_LENGTH, encryptHeld, type HeldPayment, readHeld } from "./held";

const id = fc.stringMatching(/^txn_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const payment: fc.Arbitrary<HeldPayment> = fc.record(
  {
    id,
    agent: address,
    to: address,
    asset: address,
    amount: positiveUnits,
    seed: bytes(32),
    tag: bytes(16),
    binding: bytes(32).filter((binding) => binding.some((byte) => byte !== 0)),
    memo: fc.string({ unit: "binary", maxLength: 128 }),
    kind: fc.constantFrom("transfer" as const, "release" as const),
  },
  { requiredKeys: ["id", "agent", "to", "asset", "amount", "seed", "tag", "kind"] },
);
const flip = (text: `0x${string}`): `0x${string}` =>
  `0x${text.endsWith("0") ? text.slice(2, -1) + 1 : text.slice(2, -1) + 0}`;

describe("a held payment", () => {
  it("comes back as it was asked for, from texts of one length, to the owner alone", async () => {
    await fc.assert(
      fc.asyncProperty(scope, bytes(32), payment, fc.nat(), async (sc, s, asked, bit) => {
        const held = deriveHeldKey(s, sc);
        const agentSecret = deriveAgentHalf(s, asked.agent, sc);
        const encrypted = await encryptHeld(held.publicKey, agentSecret, sc, asked);
        expect(encrypted).toHaveLength(ENCRYPTED_HELD_LENGTH);
        expect(await decryptHeld(held.secret, agentSecret, sc, asked, encrypted)).toEqual(asked);
        const others = [
          () => decryptHeld(agentSecret, agentSecret, sc, asked, encrypted),
          () => decryptHeld(deriveHeldKey(agentSecret, sc).secret, agentSecret, sc, asked, encrypted),
          () => decryptHeld(held.secret, agentSecret, sc, asked, withBitFlipped(encrypted, bit)),
          () => decryptHeld(held.secret, agentSecret, sc, asked, encrypted.subarray(1)),
        ];
        for (const other of others) await expect(other()).rejects.toBeInstanceOf(DecryptionFailed);
      }),
      { numRuns: 15 },
    );
  });

  it("can be read, and not approved, with the held key alone: of its own place, undamaged", async () => {
    await fc.assert(
      fc.asyncProperty(scope, bytes(32), payment, id, fc.nat(), async (sc, s, asked, otherId, bit) => {
        const held = deriveHeldKey(s, sc);
        const encrypted = await encryptHeld(held.publicKey, deriveAgentHalf(s, asked.agent, sc), sc, asked);
        expect(await readHeld(held.secret, sc, asked, encrypted)).toEqual(asked);
        const others = [
          () => readHeld(deriveHeldKey(held.secret, sc).secret, sc, asked, encrypted),
          () => readHeld(held.secret, sc, { ...asked, id: otherId }, encrypted),
          () => readHeld(held.secret, sc, { ...asked, agent: flip(asked.agent) }, encrypted),
          () => readHeld(held.secret, sc, asked, withBitFlipped(encrypted, bit)),
        ];
        for (const other of others) await expect(other()).rejects.toBeInstanceOf(DecryptionFailed);
      }),
      { numRuns: 15 },
    );
  });

  it("opens as no other: not of another id, agent, asset, chain or ledger", async () => {
    await fc.assert(
      fc.asyncProperty(scope, bytes(32), payment, id, async (sc, s, asked, otherId) => {
        const held = deriveHeldKey(s, sc);
        const agentSecret = deriveAgentHalf(s, asked.agent, sc);
        const encrypted = await encryptHeld(held.publicKey, agentSecret, sc, asked);
        const refs = [
          { ...asked, id: otherId },
          { ...asked, agent: flip(asked.agent) },
          { ...asked, asset: flip(asked.asset) },
        ];
        const chain = { ...sc, chainId: sc.chainId === 4663 ? 46630 : 4663 };
        const tries = [
          ...refs.map((ref) => () => decryptHeld(held.secret, agentSecret, sc, ref, encrypted)),
          () => decryptHeld(held.secret, agentSecret, chain, asked, encrypted),
          () => decryptHeld(held.secret, agentSecret, { ...sc, ledger: flip(sc.ledger) }, asked, encrypted),
        ];
        for (const attempt of tries) await expect(attempt()).rejects.toBeInstanceOf(DecryptionFailed);
      }),
      { numRuns: 10 },
    );
  });

  it("is refused when someone without the agent's secret wrote it, who knew the held key", async () => {
    await fc.assert(
      fc.asyncProperty(scope, bytes(32), payment, bytes(32), async (sc, s, asked, guess) => {
        const held = deriveHeldKey(s, sc);
        const forged = await encryptHeld(held.publicKey, guess, sc, asked);
        const agentSecret = deriveAgentHalf(s, asked.agent, sc);
        await expect(decryptHeld(held.secret, agentSecret, sc, asked, forged)).rejects.toBeInstanceOf(DecryptionFailed);
      }),
      { numRuns: 10 },
    );
  });

  it("is of at least one unit, with a memo of at most 512 bytes", async () => {
    const sc = { chainId: 4663, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
    const key = new Uint8Array(32).fill(7);
    const { publicKey } = deriveHeldKey(key, sc);
    const one: HeldPayment = {
      id: "txn_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
      agent: sc.ledger,
      to: sc.ledger,
      asset: sc.ledger,
      amount: 1n,
      seed: new Uint8Array(32),
      tag: new Uint8Array(16),
      kind: "transfer",
    };
    await expect(encryptHeld(publicKey, key, sc, { ...one, amount: 0n })).rejects.toBeInstanceOf(InvalidUnits);
    await expect(encryptHeld(publicKey, key, sc, { ...one, amount: 1n << 64n })).rejects.toBeInstanceOf(InvalidUnits);
    await expect(encryptHeld(publicKey, key, sc, { ...one, memo: "a".repeat(513) })).rejects.toBeInstanceOf(
      InvalidMemo,
    );
    const short = { id: "txn_1", seed: new Uint8Array(31), tag: new Uint8Array(17), binding: new Uint8Array(0) };
    for (const [name, value] of Object.entries(short)) {
      await expect(encryptHeld(publicKey, key, sc, { ...one, [name]: value })).rejects.toBeInstanceOf(RangeError);
    }
  });
});
