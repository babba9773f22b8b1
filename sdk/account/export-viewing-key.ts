import type { Address } from "viem";
import { CHAIN_ID } from "@/lib/base/network";
import { deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { encodeViewingKey } from "@/lib/ledger/encrypted/viewing-key";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Context } from "../context/context";

/** A viewing key as text, and the account it belongs to. */
export interface ExportedViewingKey {
  /** `hcvk_test_…` or `hcvk_live_…` */
  viewing_key: string;
  /** Address of the account. The key decrypts its payments and those of its agents. */
  account: Address;
}

/** Exports the viewing key of the wallet's account. Implements `viewingKeys.export`. */
export async function exportViewingKey(context: Context): Promise<ExportedViewingKey> {
  const [scope, vault] = await Promise.all([context.scope(), context.vault()]);
  const account = lowerCase(context.wallet.address);
  const { secret } = deriveHeldKey(vault.secret, scope);
  const held = { secret, secretVersion: vault.secretVersion };
  const { viewingKey } = vault;
  return { viewing_key: encodeViewingKey({ chainId: CHAIN_ID[context.network], account, viewingKey, held }), account };
}
