import { x25519 } from "@noble/curves/ed25519.js";
import { privateKeyToAddress } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { randomBytes, toHex } from "../crypto/bytes";
import { DecryptionFailed, InvalidRequestLink } from "../crypto/errors";
import { decryptContent, decryptLinkKey, encryptContent, encryptLinkKey } from "./encrypt-request";
import { requestBinding } from "./request-binding";
import { decodeContent, encodeContent, faultOf, type RequestContent } from "./request-content";
import { parseRequestLink, requestLink } from "./request-link";
import { requestSigner, signRequest } from "./sign-request";
import type { RequestTerms } from "./terms-bytes";

const TERMS: RequestTerms = {
  scope: { chainId: 46630, ledger: `0x${"a1".repeat(20)}`, domainSalt: `0x${"02".repeat(32)}` },
  id: "payreq_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
  payee: `0x${"b2".repeat(20)}`,
  asset: `0x${"c3".repeat(20)}`,
  expires: 1_790_000_000n,
};
const CONTENT: RequestContent = {
  amount: 2_500_000n,
  note: "Chairs,\nas agreed",
  lines: [
    { text: "Chair", quantity: 2, price: 1_000_000n },
    { text: "Delivery", quantity: 1, price: 500_000n },
  ],
  due: "2026-12-31",
  number: "2026-17",
  seller: "Ada Ltd\nLondon",
  customer: "Bob",
  nonce: `0x${"0d".repeat(32)}`,
};
/** Variants of the terms that differ in one field. */
const OTHERS: [string, RequestTerms][] = [
  ["id", { ...TERMS, id: "payreq_01KADJ2C9B3T6Y0V8ZQ4N5M7WY" }],
  ["payee", { ...TERMS, payee: `0x${"b3".repeat(20)}` }],
  ["asset", { ...TERMS, asset: `0x${"c4".repeat(20)}` }],
  ["network", { ...TERMS, scope: { ...TERMS.scope, chainId: 4663 } }],
  ["ledger", { ...TERMS, scope: { ...TERMS.scope, ledger: `0x${"a2".repeat(20)}` } }],
  ["expiry", { ...TERMS, expires: TERMS.expires + 1n }],
];

describe("what a request asks for", () => {
  const key = randomBytes(32);
  const envelope = encryptContent(key, TERMS, CONTENT);

  test("opens with the link's key", () => {
    expect(decryptContent(key, TERMS, envelope)).toEqual(CONTENT);
  });

  test("opens with no other key, nor with a part of it", () => {
    for (const other of [randomBytes(32), key.subarray(1), new Uint8Array(32)]) {
      expect(() => decryptContent(other, TERMS, envelope)).toThrow(DecryptionFailed);
    }
  });

  test.each(OTHERS)("opens for no other %s", (_, terms) => {
    expect(() => decryptContent(key, terms, envelope)).toThrow(DecryptionFailed);
  });

  test("does not open when one bit of it was changed", () => {
    for (const at of [0, 30, envelope.length - 1]) {
      const changed = Uint8Array.from(envelope);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => decryptContent(key, TERMS, changed)).toThrow(DecryptionFailed);
    }
  });

  test("has one length for every short request, whatever its amount", () => {
    const small = { ...CONTENT, amount: 1n, lines: [], note: "" };
    expect(encryptContent(key, TERMS, small)).toHaveLength(envelope.length);
  });

  test.each<[string, Partial<RequestContent>]>([
    ["amount", { amount: 0n, lines: [] }],
    ["amount", { amount: 2n ** 64n, lines: [] }],
    ["amount", { amount: 2_500_001n }],
    ["note", { note: "x".repeat(501) }],
    ["note", { note: "left\u202eright" }],
    ["lines", { lines: [{ text: "", quantity: 1, price: 2_500_000n }] }],
    ["lines", { lines: [{ text: "Half", quantity: 0.5, price: 5_000_000n }] }],
    ["lines", { lines: [{ text: "Discount", quantity: 1, price: -1n }] }],
    ["due", { due: "2026-02-31" }],
    ["number", { number: "two\nlines" }],
    ["customer", { customer: "\u200binvisible" }],
    ["nonce", { nonce: "0x00" }],
  ])("with an unfit %s is neither written nor read", (field, change) => {
    const unfit = { ...CONTENT, ...change };
    expect(faultOf(unfit)).toBe(field);
    expect(() => encodeContent(unfit)).toThrow(RangeError);
  });

  test("is not read when it is no content at all", () => {
    for (const bytes of [new Uint8Array(), new Uint8Array(1024), encodeContent(CONTENT).fill(0xff, 2, 20)]) {
      expect(() => decodeContent(bytes)).toThrow(DecryptionFailed);
    }
  });
});

describe("the link's key", () => {
  test("opens with the payee's viewing key, for the same terms alone", async () => {
    const secret = randomBytes(32);
    const key = randomBytes(32);
    const encrypted = await encryptLinkKey(x25519.getPublicKey(secret), TERMS, key);
    expect(await decryptLinkKey(secret, TERMS, encrypted)).toEqual(key);
    for (const [, terms] of OTHERS)
      await expect(decryptLinkKey(secret, terms, encrypted)).rejects.toThrow(DecryptionFailed);
    await expect(decryptLinkKey(randomBytes(32), TERMS, encrypted)).rejects.toThrow(DecryptionFailed);
  });
});

describe("the signature", () => {
  const privateKey = toHex(randomBytes(32));
  const address = privateKeyToAddress(privateKey).toLowerCase();
  const envelope = encryptContent(randomBytes(32), TERMS, CONTENT);

  test("is of the payee's key over terms and envelope", async () => {
    expect(await requestSigner(TERMS, envelope, await signRequest(privateKey, TERMS, envelope))).toBe(address);
  });

  test.each(OTHERS)("does not fit another %s", async (_, terms) => {
    expect(await requestSigner(terms, envelope, await signRequest(privateKey, TERMS, envelope))).not.toBe(address);
  });

  test("does not fit another envelope or another ledger's domain", async () => {
    const signature = await signRequest(privateKey, TERMS, envelope);
    const other = encryptContent(randomBytes(32), TERMS, CONTENT);
    const domain = { ...TERMS, scope: { ...TERMS.scope, domainSalt: `0x${"03".repeat(32)}` as const } };
    expect(await requestSigner(TERMS, other, signature)).not.toBe(address);
    expect(await requestSigner(domain, envelope, signature)).not.toBe(address);
    expect(await requestSigner(TERMS, envelope, "0x00")).toBeNull();
  });
});

describe("the binding", () => {
  test("differs with every term, the amount and the nonce", () => {
    const amounts = [CONTENT, { ...CONTENT, amount: 1n }, { ...CONTENT, nonce: `0x${"0e".repeat(32)}` as const }];
    const bindings = [
      ...amounts.map((content) => requestBinding(TERMS, content)),
      // The salt of the ledger's domain is not varied by itself, because it depends on the ledger's address.
      ...OTHERS.map(([, terms]) => requestBinding(terms, CONTENT)),
    ].map(toHex);
    expect(new Set(bindings).size).toBe(bindings.length);
    expect(toHex(requestBinding(TERMS, CONTENT))).toBe(bindings[0]);
  });
});

describe("a link", () => {
  const linkKey = randomBytes(32);
  const link = requestLink("https://halcyon.example", { id: TERMS.id, linkKey });

  test("names the request in the path and the key after #", () => {
    expect(link).toMatch(/^https:\/\/halcyon\.example\/pay\/payreq_[0-9A-Z]{26}#[A-Za-z0-9_-]{43}$/);
    expect(parseRequestLink(` ${link}\n`)).toEqual({ id: TERMS.id, linkKey });
  });

  test("that lost a character, its key or its id is none", () => {
    const broken = [link.slice(0, -1), link.split("#")[0], link.replace("payreq_", "tr_"), "", `${link}A`];
    for (const text of broken) expect(() => parseRequestLink(text ?? "")).toThrow(InvalidRequestLink);
  });
});
