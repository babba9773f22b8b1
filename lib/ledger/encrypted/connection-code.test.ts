import { expect, test } from "vitest";
import { generateApiKey, hashApiKey } from "./api-key";
import {
  decryptToken,
  ENCRYPTED_TOKEN_LENGTH,
  encryptToken,
  generateConnectionCode,
  hashConnectionCode,
  isConnectionCode,
} from "./connection-code";

const scope = { chainId: 46630, ledger: `0x${"ab".repeat(20)}`, domainSalt: `0x${"cd".repeat(32)}` } as const;
const ref = { scope, holder: `0x${"12".repeat(20)}` } as const;
const token = generateApiKey(46630);

test("a token opens with its code, its hash and its holder, and with nothing else", () => {
  const code = generateConnectionCode(46630);
  expect(isConnectionCode(code)).toBe(true);
  const encrypted = encryptToken(code, ref, token);
  expect(encrypted).toHaveLength(ENCRYPTED_TOKEN_LENGTH);
  expect(decryptToken(code, hashApiKey(token), ref, encrypted)).toBe(token);
  const wrong = [
    () => decryptToken(generateConnectionCode(46630), hashApiKey(token), ref, encrypted),
    () => decryptToken(code, hashApiKey(generateApiKey(46630)), ref, encrypted),
    () => decryptToken(code, hashApiKey(token), { ...ref, holder: `0x${"13".repeat(20)}` }, encrypted),
    () => decryptToken(code, hashApiKey(token), { ...ref, scope: { ...scope, chainId: 4663 } }, encrypted),
    () => decryptToken(code, hashApiKey(token), ref, encrypted.with(30, (encrypted[30] ?? 0) ^ 1)),
  ];
  for (const open of wrong) expect(open).toThrow("access token");
});

test("a code says its network, and no two are alike", () => {
  expect(generateConnectionCode(4663)).toMatch(/^hcc_live_[0-9A-Za-z]{43}$/);
  const codes = Array.from({ length: 50 }, () => generateConnectionCode(46630));
  expect(new Set(codes.map((code) => hashConnectionCode(code).join())).size).toBe(50);
  for (const text of [token, "", "hcc_test_x", `${codes[0]}0`, ` ${codes[0]}`])
    expect(isConnectionCode(text)).toBe(false);
});

test("only what has the form of a token is encrypted", () => {
  expect(() => encryptToken(generateConnectionCode(46630), ref, "short")).toThrow("form of an API key");
});
