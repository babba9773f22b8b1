import { needsSecret } from "@/lib/base/key-scopes";
import { CHAIN_ID } from "@/lib/base/network";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveFlagKey, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import {
  describeApiKey,
  generateApiKey,
  hashApiKey,
  type NetworkChainId,
  wrapFlagKey,
  wrapSecret,
} from "@/lib/ledger/encrypted/api-key";
import { encryptToken, generateConnectionCode, hashConnectionCode } from "@/lib/ledger/encrypted/connection-code";
import { type Consent, consentDigest, consentTypedData } from "@/lib/ledger/prepare/consent";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { walletSignature } from "@/lib/ledger/prepare/signature";
import type { Context } from "../context/context";
import { partyOf } from "./party";

/** The input to connect an application to one agent. */
export interface ConnectAgentInput {
  /** Handle of an agent of the account. */
  agent: string;
  /** The application's authorization request, as in its link. */
  request: Readonly<Record<string, string>>;
  /** The parts of the request that the wallet agrees to, as the page showed them. */
  consent: Omit<Consent, "agent" | "token" | "access">;
  scopes: readonly ("read" | "pay")[];
}

/**
 * Connects an application to an agent, as the owner decided. Creates an access token on this machine like an API key,
 * encrypts it under a fresh code, and has the wallet sign the consent. The token itself isn't returned; the application
 * exchanges the code for it.
 *
 * @returns the authorization code, to be passed only to the application's redirect
 */
export async function connectAgent(context: Context, input: ConnectAgentInput): Promise<{ code: string }> {
  const [party, session, scope, vault, account] = await Promise.all([
    partyOf(context, input.agent),
    context.session(),
    context.scope(),
    context.vault(),
    context.account(),
  ]);
  const chainId = CHAIN_ID[context.network] satisfies NetworkChainId;
  const [token, code] = [generateApiKey(chainId), generateConnectionCode(chainId)];
  const place = { scope, holder: party.address, version: vault.secretVersion };
  const heldPublicKey = deriveHeldKey(vault.secret, scope).publicKey;
  const wraps = !account.strict && needsSecret(input.scopes);
  const consent: Consent = {
    ...input.consent,
    agent: party.address,
    access: input.scopes.join(" "),
    token: toHex(hashApiKey(token)),
  };
  const owner = lowerCase(context.wallet.address);
  const typed = consentTypedData(scope, owner, consent);
  const signature = await context.wallet.signTypedData({ ...typed, message: { ...typed.message } });
  const { prefix, lastFour } = describeApiKey(token);
  const body = {
    request: input.request,
    key_hash: consent.token,
    prefix,
    last_four: lastFour,
    wrap: wraps ? toHex(wrapSecret(token, place, { ...party, heldPublicKey })) : null,
    flag_wrap: toHex(wrapFlagKey(token, place, deriveFlagKey(party.secret, scope))),
    secret_version: vault.secretVersion,
    lasts: consent.lasts,
    code_hash: toHex(hashConnectionCode(code)),
    encrypted_token: toHex(encryptToken(code, { scope, holder: party.address }, token)),
    signature: await walletSignature(consentDigest(scope, owner, consent), signature, owner),
  };
  await session.post("/api/connections", body, party.query);
  return { code };
}
