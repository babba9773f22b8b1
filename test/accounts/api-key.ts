import { createKey } from "@/lib/accounts/keys/create-key";
import { assetsOf } from "@/lib/base/assets";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveFlagKey, deriveHeldKey, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { generateApiKey, hashApiKey, wrapFlagKey, wrapSecret } from "@/lib/ledger/encrypted/api-key";
import { ACCESS_WRAP_LENGTH, encryptAccess, encryptHome } from "@/lib/ledger/encrypted/blind-key";
import { generateHomeKey, requestKeyOf } from "@/lib/ledger/encrypted/home-key";
import { Agent } from "./agent";
import type { Owner } from "./owner";

/** Returns what a client submits for a key whose text no one has. */
export const strayKey = () => ({
  label: "test",
  key_hash: toHex(randomBytes(32)),
  prefix: "hc_test_" as const,
  last_four: "0000",
  wrap: toHex(randomBytes(137)),
  flag_wrap: toHex(randomBytes(72)),
  secret_version: 1,
});

/**
 * Registers an API key of an account or an agent with both wraps, as the owner's client does. Another `text` makes it
 * invalid.
 */
export async function createApiKey(
  holder: Owner | Agent,
  text = generateApiKey(holder.session.chainId),
): Promise<{ id: string; text: string }> {
  const { session, scope, secret, authority, address } = holder;
  const holding = { scope, holder: address, version: 1 };
  const owner = holder instanceof Agent ? holder.owner : holder;
  const heldPublicKey = deriveHeldKey(owner.secret, scope).publicKey;
  const { id } = await createKey(session, {
    label: "test",
    key_hash: toHex(hashApiKey(text)),
    prefix: `hc_${session.network}_`,
    last_four: text.slice(-4),
    wrap: toHex(wrapSecret(text, holding, { secret, authority, heldPublicKey })),
    flag_wrap: toHex(wrapFlagKey(text, holding, deriveFlagKey(secret, scope))),
    secret_version: 1,
  });
  return { id, text };
}

/** Like {@link strayKey}, for a blind key. */
export const strayBlindKey = () => ({
  ...strayKey(),
  wrap: null,
  blind: {
    request_key: toHex(randomBytes(32)),
    access_wrap: toHex(randomBytes(ACCESS_WRAP_LENGTH)),
    home_wrap: toHex(randomBytes(400)),
  },
});

/** Registers a blind key of an account or an agent, as its owner's client does. */
export async function createBlindKey(holder: Owner | Agent): Promise<{ id: string; text: string; homeKey: string }> {
  const { session, scope, secret, authority, address, viewing } = holder;
  const owner = holder instanceof Agent ? holder.owner : holder;
  const [text, homeKey] = [generateApiKey(session.chainId), generateHomeKey(session.chainId)];
  const place = { scope, holder: address, version: 1 };
  const requestKey = requestKeyOf(homeKey, scope).publicKey;
  const content = {
    knowledge: secret,
    heldPublicKey: deriveHeldKey(owner.secret, scope).publicKey,
    viewingKey: viewing.publicKey,
    holder: address,
    owner: owner.address,
    paymentKey: derivePaymentKey(owner.authority, scope).address,
    scope,
    assets: assetsOf(session.chainId).map(({ symbol, address, decimals, unit }) => ({
      symbol,
      address,
      decimals,
      unit,
    })),
  };
  const { id } = await createKey(session, {
    label: "test",
    key_hash: toHex(hashApiKey(text)),
    prefix: `hc_${session.network}_`,
    last_four: text.slice(-4),
    flag_wrap: toHex(wrapFlagKey(text, place, deriveFlagKey(secret, scope))),
    secret_version: 1,
    blind: {
      request_key: toHex(requestKey),
      access_wrap: toHex(encryptAccess(text, { ...place, requestKey }, authority)),
      home_wrap: toHex(encryptHome(homeKey, hashApiKey(text), place, content)),
    },
  });
  return { id, text, homeKey };
}
