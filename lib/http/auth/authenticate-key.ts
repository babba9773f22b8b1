import { timingSafeEqual } from "node:crypto";
import { isAllowed } from "@/lib/accounts/keys/allowed-addresses";
import { recordKeyUse } from "@/lib/accounts/usage/record-key-use";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { type ChainId, networkOf } from "@/lib/base/network";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { scopeOf } from "@/lib/chain/scope-of";
import { findKey } from "@/lib/http/auth/find-key";
import { decryptAuthority, decryptFlagWrap, decryptWrap, type Grant, refuseUnwrap } from "@/lib/http/auth/unwrap";
import type { Caller } from "@/lib/http/caller";
import { utf8 } from "@/lib/ledger/crypto/bytes";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import { hashApiKey, parseApiKey } from "@/lib/ledger/encrypted/api-key";

/**
 * An authenticated key: the context of its request, and access to keys derived from its text, for data that only this
 * key can decrypt again.
 */
export interface AuthenticatedKey {
  context: KeyContext;
  /** Derives 32 bytes from the key's text with HKDF, for one purpose, bound to the network's ledger. */
  derive(label: "idempotency fingerprint" | "idempotency answer" | "request secret"): Promise<Uint8Array>;
  /** Returns the same key for another request of its holder, with what that one may decrypt. */
  withGrant(grant: Grant, requestId: string): AuthenticatedKey;
}

const BEARER = /^Bearer +([0-9A-Za-z_]{1,100}) *$/i;

/**
 * Authenticates the API key in an `Authorization: Bearer` header (RFC 6750). Each request looks the key up by its
 * SHA-256, so a revocation takes effect with the next request on every server.
 *
 * @param grant which of the key's encrypted copies the route may decrypt; the others are refused at run time
 * @param audience null to accept API keys; an address to accept only access tokens for that address
 * @throws ApiError `unauthorized` for a missing, malformed, unknown, revoked or expired key; `key_forbidden` if the
 *   request comes from an address that is not in the key's allow-list
 */
export async function authenticateKey(
  authorization: string | null,
  request: { requestId: string; clientAddress: string | null },
  grant: Grant,
  now = new Date(),
  audience: string | null = null,
): Promise<AuthenticatedKey> {
  const text = BEARER.exec(authorization ?? "")?.[1];
  if (text === undefined) {
    throw new ApiError("unauthorized", "Send your API key in the header `Authorization: Bearer hc_…`.");
  }
  const chainId = chainOf(text);
  const hash = hashApiKey(text);
  const row = await findKey(hash);
  if (!row || !timingSafeEqual(row.hash, hash)) throw invalidKey();
  // Its owner's log has it, also if the key is refused below.
  const rootId = row.owner_id ?? row.id;
  noteRequest({ caller: { rootId, chainId: row.chain_id as ChainId, keyId: row.key_id } });
  const isOver = row.expires_at !== null && row.expires_at <= now.getTime();
  if (row.chain_id !== chainId || row.audience !== audience || isOver) throw invalidKey();
  if (row.allowed_ips && !isAllowed(request.clientAddress, row.allowed_ips)) {
    throw new ApiError("key_forbidden", "This API key does not work from your address: its allow-list has others.");
  }
  recordKeyUse(row.key_id, now);
  const account: KeyContext["account"] = {
    id: row.id,
    handle: row.handle,
    address: hexOf(row.address),
    type: row.type,
    rootId,
    rootAddress: hexOf(row.owner_address ?? row.address),
    createdAt: new Date(row.created_at),
  };
  const wrapped = {
    keyId: row.key_id,
    text,
    chainId,
    holder: account.address,
    version: row.secret_version,
    schedule: row.schedule_id ?? undefined,
    requestKey: row.request_key ? new Uint8Array(row.request_key) : undefined,
  };
  const { requestKey } = wrapped;
  const withGrant = (grant: Grant, requestId: string): AuthenticatedKey => ({
    context: {
      actor: "key",
      network: networkOf(chainId),
      chainId,
      account,
      clientAddress: request.clientAddress,
      requestId,
      keyId: row.key_id,
      scopes: row.scopes,
      ...(row.schedule_id !== null && { scheduleId: row.schedule_id }),
      ...(requestKey && {
        blind: {
          requestKey,
          keyHash: hash,
          secretVersion: row.secret_version,
          decryptAuthority:
            grant === "secret" ? (tx) => decryptAuthority({ ...wrapped, requestKey }, tx) : refuseUnwrap,
        },
      }),
      unwrap: grant === "secret" ? (tx) => decryptWrap(wrapped, tx) : refuseUnwrap,
      unwrapFlagKey: grant === "flag" ? () => decryptFlagWrap(wrapped) : refuseUnwrap,
    },
    derive: async (label) => hkdf(utf8(text), label, await scopeOf(chainId)),
    withGrant,
  });
  return withGrant(grant, request.requestId);
}

/** Returns whose the key or token in an `Authorization` header is, if it exists and is not revoked. */
export async function callerOfKey(authorization: string): Promise<Caller | undefined> {
  const text = BEARER.exec(authorization)?.[1];
  const row = text === undefined ? undefined : await findKey(hashApiKey(text));
  if (!row) return undefined;
  const root = hexOf(row.owner_address ?? row.address);
  return { kind: "api_key", id: row.key_id, chainId: row.chain_id as ChainId, root, ofAgent: row.type === "agent" };
}

const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`;

function chainOf(text: string) {
  try {
    return parseApiKey(text).chainId;
  } catch {
    throw invalidKey();
  }
}

function invalidKey(): ApiError {
  return new ApiError(
    "unauthorized",
    "This API key is not valid: check that it is whole, not revoked and not expired.",
  );
}
