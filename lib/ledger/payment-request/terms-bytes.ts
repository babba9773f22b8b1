import type { Address } from "viem";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import type { Scope } from "../crypto/scope";

/*
 * A payment request asks for one payment. The service knows its terms; amount, note and lines are encrypted under a key
 * that only the link holds (docs/protocol.md section 7, Payment requests).
 */

/** What the service knows of a payment request. Everything that is encrypted or signed is bound to it. */
export interface RequestTerms {
  scope: Scope;
  /** `payreq_` and a ULID. */
  id: string;
  /** Who is paid. Lower case. */
  payee: Address;
  asset: Address;
  /** Unix seconds, from when on it should not be paid. */
  expires: bigint;
}

/** Bytes of the id: `payreq_` and a ULID. */
const ID_LENGTH = 33;

/** id (33) || payee (20) || asset (20) || chain (32) || ledger (20) || expiry (8): fixed widths, so unambiguous. */
export function termsBytes({ scope, id, payee, asset, expires }: RequestTerms): Uint8Array {
  const name = utf8(id);
  const [payeeBytes, assetBytes, ledgerBytes] = [payee, asset, scope.ledger].map(fromHex) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  if (name.length !== ID_LENGTH) throw new RangeError("the id of a payment request has 33 bytes");
  if (payeeBytes.length !== 20 || assetBytes.length !== 20) throw new RangeError("an address has 20 bytes");
  return concat(
    name,
    payeeBytes,
    assetBytes,
    bigintToBytes(BigInt(scope.chainId), 32),
    ledgerBytes,
    bigintToBytes(expires, 8),
  );
}
