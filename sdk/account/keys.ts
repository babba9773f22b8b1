import type { Address } from "viem";
import { type KeyScope, needsSecret } from "@/lib/base/key-scopes";
import { CHAIN_ID } from "@/lib/base/network";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveFlagKey, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import {
  describeApiKey,
  generateApiKey,
  hashApiKey,
  type NetworkChainId,
  wrapFlagKey,
  wrapSecret,
} from "@/lib/ledger/encrypted/api-key";
import type { ListedKey } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import { type OptionalPageInput, type Paged, paged } from "../api/paged";
import type { Context } from "../context/context";
import { findAgent } from "./agents";
import { type Party, partyOf } from "./party";

/** The input for a new API key. */
export interface CreateKeyInput {
  label: string;
  /** How long the key is valid: a number and s, m, h, d or w. Default: until revoked. */
  expiresIn?: string | undefined;
  /** Handle of an agent of the account: the key pays only from this agent, within its policy. */
  agent?: string | undefined;
  /** Id of a schedule: the key can only pay this schedule's runs, even if someone changes the database. */
  schedule?: string | undefined;
  /**
   * Creates a blind key: a home key comes with it, with which this machine builds payments, and the service signs what
   * it can't read. Not with a limit per month or per recipient, which the service decides by amounts.
   */
  blind?: boolean | undefined;
  /** The scopes that the key is limited to. Default: everything the API offers. */
  scopes?: readonly KeyScope[] | undefined;
  /** IP addresses and ranges (CIDR) from which the key may be used. Default: from anywhere. */
  allowedIps?: readonly string[] | undefined;
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Returns the time that lies a span such as `30d` after `now`.
 *
 * @throws HalcyonError `invalid_request` for an invalid span
 */
export function keyExpiry(span: string, now: Date): Date {
  const match = /^([1-9][0-9]{0,6})([smhdw])$/.exec(span);
  const seconds = Number(match?.[1]) * (SECONDS[match?.[2] ?? ""] ?? Number.NaN);
  const expiry = new Date(now.getTime() + seconds * 1000);
  if (!Number.isNaN(expiry.getTime())) return expiry;
  throw new HalcyonError("invalid_request", "Give a span as a number and s, m, h, d or w, such as 30d.");
}

/** A new key. It can't be shown again. */
export interface CreatedKey {
  key_id: string;
  api_key: string;
  /** Of a blind key: stays on your machine. */
  home_key?: string;
}

/** What a key is created from. */
export interface KeyParts {
  text: string;
  place: { scope: Scope; holder: Address; version: number };
  party: Party;
  heldPublicKey: Uint8Array;
}

/** Creates an API key on this machine. Implements `keys.create`. */
export async function createKey(
  context: Context,
  input: CreateKeyInput,
  blindOf?: (parts: KeyParts) => Promise<object>,
): Promise<CreatedKey> {
  const expiresAt = input.expiresIn === undefined ? undefined : keyExpiry(input.expiresIn, new Date());
  const [party, session, scope, vault, account] = await Promise.all([
    partyOf(context, input.agent),
    context.session(),
    context.scope(),
    context.vault(),
    context.account(),
  ]);
  const text = generateApiKey(CHAIN_ID[context.network] satisfies NetworkChainId);
  const { schedule } = input;
  const place = { scope, holder: party.address, version: vault.secretVersion, schedule };
  const heldPublicKey = deriveHeldKey(vault.secret, scope).publicKey;
  const { prefix, lastFour } = describeApiKey(text);
  const blind = await blindOf?.({ text, place, party, heldPublicKey });
  const body = {
    label: input.label,
    key_hash: toHex(hashApiKey(text)),
    prefix,
    last_four: lastFour,
    // In strict mode, or without a scope that decrypts the available balance, the key can't pay: there is no secret to
    // wrap.
    wrap:
      blind || account.strict || !needsSecret(input.scopes ?? null)
        ? null
        : toHex(wrapSecret(text, place, { ...party, heldPublicKey })),
    flag_wrap: toHex(wrapFlagKey(text, place, deriveFlagKey(party.secret, scope))),
    ...(blind && { blind }),
    secret_version: vault.secretVersion,
    ...(schedule !== undefined && { schedule }),
    ...(input.scopes && { scopes: input.scopes }),
    ...(input.allowedIps && { allowed_ips: input.allowedIps }),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  };
  const { key_id } = await session.post<ListedKey>("/api/keys", body, party.query);
  return { key_id, api_key: text };
}

/** Filters for a list of API keys, and its paging. */
export interface ListKeysInput extends OptionalPageInput {
  /** Only the keys of this agent. */
  agent?: string | undefined;
}

/** A page of API keys. */
export interface KeyList {
  keys: ListedKey[];
  has_more: boolean;
  /**
   * Since when no plain key and no connection lets the service decrypt a balance of the account or its agents (ISO 8601);
   * null while one does.
   */
  blind_since: string | null;
}

/**
 * Lists the keys of the account and its agents on this network, or of one agent, newest first, without the keys
 * themselves.
 */
export function listKeys(context: Context, input: ListKeysInput = {}): Paged<KeyList, ListedKey> {
  const read = async ({ agent, limit, startingAfter }: ListKeysInput) => {
    const id = agent === undefined ? undefined : (await findAgent(context, agent)).account_id;
    const query = { agent: id, limit, starting_after: startingAfter };
    return (await context.session()).get<KeyList>("/api/keys", query);
  };
  return paged({ read, entries: ({ keys }) => keys, id: ({ key_id }) => key_id }, input);
}

/** Revokes a key. It stops working on every server at once. */
export async function revokeKey(context: Context, keyId: string): Promise<{ key_id: string; revoked_at: string }> {
  const session = await context.session();
  const response = await session.delete<{ key_id: string; revoked_at: string }>(
    `/api/keys/${encodeURIComponent(keyId)}`,
  );
  return { key_id: response.key_id, revoked_at: response.revoked_at };
}
