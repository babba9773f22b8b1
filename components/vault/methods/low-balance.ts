import type { Hex } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { decryptSetting, encryptSetting, type SettingRef } from "@/lib/ledger/encrypted/browser-setting";
import type { Context } from "@/sdk/context/context";

/** The available balance per asset below which the owner wants a warning, a decimal string. */
export type LowBalanceRules = Record<string, string>;

async function refOf(context: Context): Promise<{ key: Uint8Array; ref: SettingRef }> {
  const [{ account, viewingKey }, scope] = await Promise.all([context.viewer(), context.scope()]);
  return { key: viewingKey.secret, ref: { scope, account, name: "low-balance" } };
}

/** Encrypts the rules for this browser to store. They never leave it. */
export async function encryptLowBalance(context: Context, { rules }: { rules: LowBalanceRules }): Promise<Hex> {
  const { key, ref } = await refOf(context);
  return toHex(encryptSetting(key, ref, JSON.stringify(rules)));
}

/** Decrypts the rules that this browser stores. Returns none if they can't be decrypted. */
export async function decryptLowBalance(context: Context, { encrypted }: { encrypted: Hex }): Promise<LowBalanceRules> {
  const { key, ref } = await refOf(context);
  try {
    return JSON.parse(decryptSetting(key, ref, fromHex(encrypted))) as LowBalanceRules;
  } catch {
    return {};
  }
}
