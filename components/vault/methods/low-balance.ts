import type { Hex } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { openSetting, type SettingRef, sealSetting } from "@/lib/ledger/seal/browser-setting";
import type { Context } from "@/sdk/context/context";

/** The available balance per asset below which the owner wants a warning, a decimal string. */
export type LowBalanceRules = Record<string, string>;

async function refOf(context: Context): Promise<{ key: Uint8Array; ref: SettingRef }> {
  const [{ account, viewingKey }, scope] = await Promise.all([context.viewer(), context.scope()]);
  return { key: viewingKey.secret, ref: { scope, account, name: "low-balance" } };
}

/** Encrypts the rules for this browser to store. They never leave it. */
export async function sealLowBalance(context: Context, { rules }: { rules: LowBalanceRules }): Promise<Hex> {
  const { key, ref } = await refOf(context);
  return toHex(sealSetting(key, ref, JSON.stringify(rules)));
}

/** Decrypts the rules that this browser stores. Returns none if they can't be decrypted. */
export async function openLowBalance(context: Context, { sealed }: { sealed: Hex }): Promise<LowBalanceRules> {
  const { key, ref } = await refOf(context);
  try {
    return JSON.parse(openSetting(key, ref, fromHex(sealed))) as LowBalanceRules;
  } catch {
    return {};
  }
}
