import type { Address } from "viem";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import type { Scope } from "../crypto/scope";

/*
 * A payment request asks for one payment. The service knows its terms. Amount, note and lines are encrypted under a key
 * that is only in the link (docs/protocol.md section 7, Payment requests).
 */

/** The public terms of a payment request. Everything encrypted or signed is bound to them. */
export interface RequestTerms {
  scope: Scope;
  /** `payreq_` and a ULID. */
  id: string;
  /** The recipient of the payment, in lower case. */
  payee: Address;
  asset: Address;
  /** Unix seconds from which it should no longer be paid. */
  expires: bigint;
}

/** Length of an id (`payreq_` and a ULID) in bytes. */
const ID_LENGTH = 33;

/**
 * Returns id (33 bytes) || payee (20) || asset (20) || chain (32) || ledger (20) || expiry (8). Fixed widths make it
 * unambiguous.
 */
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
