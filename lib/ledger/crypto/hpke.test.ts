import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { x25519 } from "@noble/curves/ed25519.js";
import { expand, extract } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { bytes } from "@/test/ledger/arbitraries";
import { bigintToBytes, concat, fromHex, utf8 } from "./bytes";
import { DecryptionFailed, UnusableViewingKey } from "./errors";
import { decryptFrom, encryptTo, HPKE_OVERHEAD, isUsableViewingKey } from "./hpke";

const PRIME = 2n ** 255n - 19n;
const little = (value: bigint) => bigintToBytes(value, 32).toReversed();

// All low-order u-coordinates of Curve25519 and its twist (cr.yp.to/ecdh.html#validate), and unreduced encodings.
const LOW_ORDER = [
  little(0n),
  little(1n),
  fromHex("0xe0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
  fromHex("0x5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
  little(PRIME - 1n),
  little(PRIME),
  little(PRIME + 1n),
];

describe("HPKE", () => {
  it("refuses every low-order key, also with the unused top bit set, and keys of other lengths", async () => {
    for (const key of LOW_ORDER) {
      const withTopBit = key.slice();
      withTopBit[31] = (withTopBit[31] ?? 0) | 0x80;
      for (const bad of [key, withTopBit]) {
        expect(isUsableViewingKey(bad)).toBe(false);
        await expect(encryptTo(bad, utf8("info"), utf8("text"))).rejects.toBeInstanceOf(UnusableViewingKey);
      }
    }
    for (const length of [0, 31, 33]) expect(isUsableViewingKey(new Uint8Array(length).fill(9))).toBe(false);
  });

  it("encrypts to every honest key, freshly each time, and opens only with its secret and info", async () => {
    await fc.assert(
      fc.asyncProperty(bytes(32), fc.uint8Array(), fc.uint8Array({ maxLength: 600 }), async (secret, info, text) => {
        const publicKey = x25519.getPublicKey(secret);
        expect(isUsableViewingKey(publicKey)).toBe(true);
        const [one, two] = await Promise.all([encryptTo(publicKey, info, text), encryptTo(publicKey, info, text)]);
        expect(one).not.toEqual(two);
        expect(await decryptFrom(secret, info, one)).toEqual(text);
        await expect(decryptFrom(secret, Uint8Array.of(...info, 0), one)).rejects.toBeInstanceOf(DecryptionFailed);
        await expect(decryptFrom(secret, info, one.subarray(1))).rejects.toBeInstanceOf(DecryptionFailed);
      }),
      { numRuns: 15 },
    );
  });

  it("has a secret's key made once for all that it decrypts, and never uses that of an overwritten array", async () => {
    const secret = new Uint8Array(32).fill(11);
    const [info, other] = [utf8("info"), new Uint8Array(32).fill(12)];
    const [first, second, ofOther] = await Promise.all(
      [secret, secret, other].map((key, at) => encryptTo(x25519.getPublicKey(key), info, Uint8Array.of(at))),
    );
    const imports = vi.spyOn(crypto.subtle, "importKey");
    try {
      expect(await decryptFrom(secret, info, first as Uint8Array)).toEqual(Uint8Array.of(0));
      expect(await decryptFrom(secret, info, second as Uint8Array)).toEqual(Uint8Array.of(1));
      expect(imports.mock.calls.filter(([format]) => String(format) === "pkcs8")).toHaveLength(1);
    } finally {
      imports.mockRestore();
    }
    secret.set(other);
    expect(await decryptFrom(secret, info, ofOther as Uint8Array)).toEqual(Uint8Array.of(2));
    secret.fill(0);
    await expect(decryptFrom(secret, info, ofOther as Uint8Array)).rejects.toBeInstanceOf(DecryptionFailed);
  });

  it("takes Node's Buffers, which share memory, and encrypts nothing of what lies beside them", async () => {
    const secret = Buffer.from(new Uint8Array(32).fill(5));
    const [info, text] = [Buffer.from("info"), Buffer.from("text")];
    const encrypted = await encryptTo(Buffer.from(x25519.getPublicKey(secret)), info, text);
    expect(encrypted).toHaveLength(text.length + HPKE_OVERHEAD);
    expect(await decryptFrom(secret, info, Buffer.from(encrypted))).toEqual(new Uint8Array(text));
  });

  it("opens what a plain reading of RFC 9180 encrypts", async () => {
    // Implements sections 4.1, 5.1 and 7.1 with primitives only, so that a change of library can't change the bytes.
    const suiteKem = concat(utf8("KEM"), Uint8Array.of(0, 0x20));
    const suite = concat(utf8("HPKE"), Uint8Array.of(0, 0x20, 0, 1, 0, 3));
    const extractLabeled = (id: Uint8Array, salt: Uint8Array, label: string, ikm: Uint8Array) =>
      extract(sha256, concat(utf8("HPKE-v1"), id, utf8(label), ikm), salt);
    const expandLabeled = (id: Uint8Array, prk: Uint8Array, label: string, info: Uint8Array, length: number) =>
      expand(sha256, prk, concat(Uint8Array.of(0, length), utf8("HPKE-v1"), id, utf8(label), info), length);
    const [none, info, text] = [new Uint8Array(), utf8("some info"), utf8("some text")];
    const secret = new Uint8Array(32).fill(3);
    const ephemeral = new Uint8Array(32).fill(4);
    const publicKey = x25519.getPublicKey(secret);
    const enc = x25519.getPublicKey(ephemeral);
    const eae = extractLabeled(suiteKem, none, "eae_prk", x25519.getSharedSecret(ephemeral, publicKey));
    const shared = expandLabeled(suiteKem, eae, "shared_secret", concat(enc, publicKey), 32);
    const context = concat(
      Uint8Array.of(0),
      extractLabeled(suite, none, "psk_id_hash", none),
      extractLabeled(suite, none, "info_hash", info),
    );
    const prk = extractLabeled(suite, shared, "secret", none);
    const key = expandLabeled(suite, prk, "key", context, 32);
    const nonce = expandLabeled(suite, prk, "base_nonce", context, 12);
    const encrypted = concat(enc, chacha20poly1305(key, nonce, none).encrypt(text));
    expect(await decryptFrom(secret, info, encrypted)).toEqual(text);
  });
});
