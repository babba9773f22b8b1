import { createKey } from "@/lib/accounts/keys/create-key";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveFlagKey, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { generateApiKey, hashApiKey, wrapFlagKey, wrapSecret } from "@/lib/ledger/seal/api-key";
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
