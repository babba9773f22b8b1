import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import type { KeyContext } from "@/lib/base/context/context";
import { scopeOf } from "@/lib/chain/scope-of";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { SignedRequest } from "@/lib/ledger/encrypted/home-key";
import { documentCall } from "@/lib/ledger/prepare/document-call";
import type { SignedTransfer, SignedTransferMany, UnsignedBatch, UnsignedRows } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { resolveSigner } from "@/lib/payments/resolve-signer";
import { checkBlindDeadline, requireBlindKey, requireSigned } from "./blind-payment";

/** Payments that a client with a home key has built, and what signs them. */
interface BlindRows<D> {
  /** Without its signature. */
  document: D;
  /** Signs it with the authority that the key wraps, in the transaction that records it. */
  sign(tx: Tx, party: LedgerParty): Promise<Hex>;
}

/** A request as the request key signs it. */
type Asked = Pick<SignedRequest, "path" | "idempotencyKey">;

/**
 * Checks that payments, one or proved together, come from the holder of the key's home key. The service then signs them
 * with the payment key of the account without reading an amount.
 *
 * @param asked the request as the request key signs it
 * @throws ApiError `key_forbidden` for another key or signature; `invalid_request` naming the field
 */
export function blindRows(
  ctx: KeyContext,
  asked: Asked,
  unsigned: UnsignedBatch,
  signature: Hex,
): Promise<BlindRows<SignedTransferMany>>;
export function blindRows(
  ctx: KeyContext,
  asked: Asked,
  unsigned: UnsignedRows,
  signature: Hex,
): Promise<BlindRows<SignedTransfer | SignedTransferMany>>;
export async function blindRows(
  ctx: KeyContext,
  asked: Asked,
  unsigned: UnsignedRows,
  signature: Hex,
): Promise<BlindRows<SignedTransfer | SignedTransferMany>> {
  const { blind, account: payer, chainId } = requireBlindKey(ctx);
  await checkBlindDeadline(unsigned);
  const scope = await scopeOf(chainId);
  const document = { ...unsigned, signature: "0x" as const };
  const call = documentCall(scope, document);
  requireSigned(blind, { ...asked, scope, digest: fromHex(call.digest) }, signature);
  const act = { isPublic: false, deadline: BigInt(document.deadline), limited: null };
  return {
    document,
    sign: async (tx, party) => {
      const authority = await blind.decryptAuthority(tx);
      try {
        const { secretVersion } = blind;
        const secrets = { payerAuthority: authority, account: { authority }, secretVersion };
        return await keySigner(resolveSigner(scope, payer, party, secrets, act).privateKey)(call);
      } finally {
        authority.fill(0);
      }
    },
  };
}
