import { hkdf as nobleHkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8 } from "./bytes";
import type { Scope } from "./scope";

/**
 * Derives key material with HKDF-SHA256 (RFC 5869) without salt. info = "halcyon/1/" label "/" chain id "/" ledger
 * address in lower case, followed by "/" and `extra` if given (for example a version or an address). Labels contain no
 * slash, so two different inputs never have the same info.
 */
export function hkdf(
  secret: Uint8Array,
  label: string,
  scope: Scope,
  options: { extra?: string | undefined; length?: number } = {},
): Uint8Array {
  const tail = options.extra === undefined ? "" : `/${options.extra}`;
  const info = utf8(`halcyon/1/${label}/${scope.chainId}/${scope.ledger.toLowerCase()}${tail}`);
  return nobleHkdf(sha256, secret, undefined, info, options.length ?? 32);
}
