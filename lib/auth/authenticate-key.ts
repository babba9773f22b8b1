import { timingSafeEqual } from "node:crypto";
import { sql } from "@/db/client";
import { type Grant, openFlagWrap, openWrap, refuseUnwrap } from "@/lib/auth/unwrap";
import { scopeOf } from "@/lib/chain/scope-of";
import type { KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import type { KeyScope } from "@/lib/key-scopes";
import { isAllowed } from "@/lib/keys/allowed-addresses";
import { utf8 } from "@/lib/ledger/crypto/bytes";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import { hashApiKey, parseApiKey } from "@/lib/ledger/seal/api-key";
import { networkOf } from "@/lib/network";
import { recordKeyUse } from "@/lib/usage/record-key-use";

/** An authenticated key: the context of its request, and keys derived from its text for what only it may reopen. */
export interface AuthenticatedKey {
  context: KeyContext;
  /** HKDF of the key's text: 32 bytes for one purpose, bound to the network's ledger. */
  derive(label: "idempotency fingerprint" | "idempotency answer"): Promise<Uint8Array>;
}

interface Row {
  key_id: string;
  hash: Uint8Array;
  id: string;
  handle: string;
  address: Uint8Array;
  type: KeyContext["account"]["type"];
  owner_id: string | null;
  owner_address: Uint8Array | null;
  created_at: string; // drizzle has taken the driver's date parsers away
  secret_version: number;
  scopes: KeyScope[] | null;
  allowed_ips: string[] | null;
  schedule_id: string | null;
}

const BEARER = /^Bearer +([0-9A-Za-z_]{1,100}) *$/i;

/**
 * The caller behind an `Authorization: Bearer` header (RFC 6750): one look-up by SHA-256, so that revocation holds
 * from the next request on every server.
 *
 * @param grant what the route may open of the key's wraps; anything else is refused at run time
 * @param audience null for API keys; the address that access tokens are for, where those are to be taken and no others
 * @throws ApiError `unauthorized` for a missing, malformed, unknown, revoked or expired key; `key_forbidden` from an
 *   address its allow-list does not hold
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
  const [row] = await sql()<Row[]>`
    select k.id as key_id, k.hash, k.secret_version, k.scopes, k.allowed_ips, k.schedule_id, a.id, a.handle, a.address, a.type, a.owner_id, a.created_at,
      o.address as owner_address
    from api_keys k join accounts a on a.id = coalesce(k.agent_id, k.account_id) left join accounts o on o.id = a.owner_id
    where k.hash = ${hash} and k.chain_id = ${chainId} and k.revoked_at is null
      and k.audience is not distinct from ${audience}
      and (k.expires_at is null or k.expires_at > ${now.toISOString()})`;
  if (!row || !timingSafeEqual(row.hash, hash)) throw invalidKey();
  if (row.allowed_ips && !isAllowed(request.clientAddress, row.allowed_ips)) {
    throw new ApiError("key_forbidden", "This API key does not work from your address: its allow-list has others.");
  }
  recordKeyUse(row.key_id, now);
  const account: KeyContext["account"] = {
    id: row.id,
    handle: row.handle,
    address: hexOf(row.address),
    type: row.type,
    rootId: row.owner_id ?? row.id,
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
  };
  return {
    context: {
      actor: "key",
      network: networkOf(chainId),
      chainId,
      account,
      ...request,
      keyId: row.key_id,
      scopes: row.scopes,
      ...(row.schedule_id !== null && { scheduleId: row.schedule_id }),
      unwrap: grant === "secret" ? (tx) => openWrap(wrapped, tx) : refuseUnwrap,
      unwrapFlagKey: grant === "flag" ? () => openFlagWrap(wrapped) : refuseUnwrap,
    },
    derive: async (label) => hkdf(utf8(text), label, await scopeOf(chainId)),
  };
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
