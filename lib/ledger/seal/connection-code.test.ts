import { expect, test } from "vitest";
import { generateApiKey, hashApiKey } from "./api-key";
import {
  generateConnectionCode,
  hashConnectionCode,
  isConnectionCode,
  SEALED_TOKEN_LENGTH,
  sealToken,
  unsealToken,
} from "./connection-code";

const scope = { chainId: 46630, ledger: `0x${"ab".repeat(20)}`, domainSalt: `0x${"cd".repeat(32)}` } as const;
const ref = { scope, holder: `0x${"12".repeat(20)}` } as const;
const token = generateApiKey(46630);

test("a token opens with its code, its hash and its holder, and with nothing else", () => {
  const code = generateConnectionCode(46630);
  expect(isConnectionCode(code)).toBe(true);
  const sealed = sealToken(code, ref, token);
  expect(sealed).toHaveLength(SEALED_TOKEN_LENGTH);
  expect(unsealToken(code, hashApiKey(token), ref, sealed)).toBe(token);
  const wrong = [
    () => unsealToken(generateConnectionCode(46630), hashApiKey(token), ref, sealed),
    () => unsealToken(code, hashApiKey(generateApiKey(46630)), ref, sealed),
    () => unsealToken(code, hashApiKey(token), { ...ref, holder: `0x${"13".repeat(20)}` }, sealed),
    () => unsealToken(code, hashApiKey(token), { ...ref, scope: { ...scope, chainId: 4663 } }, sealed),
    () => unsealToken(code, hashApiKey(token), ref, sealed.with(30, (sealed[30] ?? 0) ^ 1)),
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

test("only what has the form of a token is sealed", () => {
  expect(() => sealToken(generateConnectionCode(46630), ref, "short")).toThrow("form of an API key");
});
