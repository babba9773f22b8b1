import { CHAIN_ID } from "@/lib/base/network";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { hashApiKey, type NetworkChainId } from "@/lib/ledger/encrypted/api-key";
import { encryptAccess, encryptHome } from "@/lib/ledger/encrypted/blind-key";
import { generateHomeKey, requestKeyOf } from "@/lib/ledger/encrypted/home-key";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Context } from "../context/context";
import { type CreatedKey, type CreateKeyInput, createKey, type KeyParts } from "./keys";

/**
 * Creates a blind API key with its home key, both on this machine. The home key encrypts what payments are built from, as
 * this machine has compared it with the chain, so that no client takes it from the service.
 */
export async function createBlindKey(context: Context, input: CreateKeyInput): Promise<CreatedKey> {
  const homeKey = generateHomeKey(CHAIN_ID[context.network] satisfies NetworkChainId);
  const blindOf = async ({ text, place, party, heldPublicKey }: KeyParts) => {
    const [{ assets }, { viewingKey, paymentKey }] = await Promise.all([context.info(), context.vault()]);
    const { scope } = place;
    const requestKey = requestKeyOf(homeKey, scope).publicKey;
    const home = encryptHome(homeKey, hashApiKey(text), place, {
      knowledge: party.secret,
      heldPublicKey,
      viewingKey: viewingKey.publicKey,
      holder: party.address,
      owner: lowerCase(context.wallet.address),
      paymentKey: lowerCase(paymentKey.address),
      scope,
      assets,
    });
    return {
      request_key: toHex(requestKey),
      access_wrap: toHex(encryptAccess(text, { ...place, requestKey }, party.authority)),
      home_wrap: toHex(home),
    };
  };
  return { ...(await createKey(context, input, blindOf)), home_key: homeKey };
}
