import { expect, test } from "vitest";
import { DecryptionFailed } from "../crypto/errors";
import { decryptSetting, encryptSetting, type SettingRef } from "./browser-setting";

const KEY = new Uint8Array(32).fill(7);
const REF: SettingRef = {
  scope: { chainId: 46630, ledger: `0x${"0a".repeat(20)}`, domainSalt: `0x${"0b".repeat(32)}` },
  account: `0x${"0c".repeat(20)}`,
  name: "low-balance",
};

test("a setting opens for its account and by its name alone, and whatever is in it has one length", () => {
  const encrypted = encryptSetting(KEY, REF, '{"USDG":"1234.5"}');
  expect(decryptSetting(KEY, REF, encrypted)).toBe('{"USDG":"1234.5"}');
  expect(encryptSetting(KEY, REF, "{}")).toHaveLength(encrypted.length);
  expect(Buffer.from(encrypted).toString("latin1")).not.toContain("1234");
  const others: [Uint8Array, SettingRef][] = [
    [new Uint8Array(32).fill(8), REF],
    [KEY, { ...REF, name: "other" }],
    [KEY, { ...REF, account: `0x${"0d".repeat(20)}` }],
    [KEY, { ...REF, scope: { ...REF.scope, chainId: 4663 } }],
  ];
  for (const [key, ref] of others) expect(() => decryptSetting(key, ref, encrypted)).toThrow(DecryptionFailed);
  expect(() => decryptSetting(KEY, REF, encrypted.subarray(0, 20))).toThrow(DecryptionFailed);
  expect(() => encryptSetting(KEY, REF, "x".repeat(511))).toThrow("too long");
  expect(decryptSetting(KEY, REF, encryptSetting(KEY, REF, "x".repeat(510)))).toHaveLength(510);
});
