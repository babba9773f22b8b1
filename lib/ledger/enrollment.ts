import { type Address, keccak256 } from "viem";
import { toHex } from "./crypto/bytes";
import { deriveAuthority, derivePaymentKey, deriveViewingKey } from "./crypto/keys";
import type { Scope } from "./crypto/scope";
import type { SignRequest } from "./prepare/key-signer";
import type { LedgerMessages, LedgerStruct } from "./prepare/struct-types";
import { digestOf, ledgerTypedData } from "./prepare/structs";

/** Returns the signing request for a struct of the ledger: its digest and typed data. */
export function signRequestOf<K extends LedgerStruct>(
  scope: Scope,
  primaryType: K,
  message: LedgerMessages[K],
): SignRequest {
  return { digest: digestOf(scope, primaryType, message), typedData: ledgerTypedData(scope, primaryType, message) };
}

/**
 * Returns the `Enroll` message of an account key: its viewing key, the payment key of account secret version 1, and the
 * hash of the encrypted account key. The nonce before enrollment is 0. Times are Unix seconds.
 */
export function enrollMessage(
  scope: Scope,
  request: {
    account: Address;
    accountKey: Uint8Array;
    encryptedAccountKey: Uint8Array;
    paymentKeyUntil: bigint;
    deadline: bigint;
  },
): LedgerMessages["Enroll"] {
  return {
    account: request.account,
    viewingKey: toHex(deriveViewingKey(request.accountKey, scope).publicKey),
    paymentKey: derivePaymentKey(deriveAuthority(request.accountKey, scope, 1), scope).address,
    paymentKeyUntil: request.paymentKeyUntil,
    encryptedAccountKeyHash: keccak256(toHex(request.encryptedAccountKey)),
    nonce: 0n,
    deadline: request.deadline,
  };
}
