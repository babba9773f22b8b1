import { type Address, type Hex, hashTypedData } from "viem";
import { FIELD_ORDER } from "../crypto/field";
import type { Scope } from "../crypto/scope";
import { LEDGER_TYPES, type LedgerMessages, type LedgerStruct, PAYMENT_TYPE } from "./struct-types";

/** EIP-712 typed data of one ledger, as wallets sign it. */
export interface LedgerTypedData<K extends LedgerStruct = LedgerStruct> {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address; salt: Hex };
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: K;
  message: LedgerMessages[K];
}

/** Returns the typed data of a ledger call, for `signTypedData` of a wallet. */
export function ledgerTypedData<K extends LedgerStruct>(
  scope: Scope,
  primaryType: K,
  message: LedgerMessages[K],
): LedgerTypedData<K> {
  return {
    domain: {
      name: "Halcyon Ledger",
      version: "2",
      chainId: scope.chainId,
      verifyingContract: scope.ledger,
      salt: scope.domainSalt,
    },
    types: {
      [primaryType]: LEDGER_TYPES[primaryType],
      ...(primaryType === "TransferMany" && { Payment: PAYMENT_TYPE }),
    },
    primaryType,
    message,
  };
}

/** Returns the EIP-712 digest that a wallet, payment key or agent's signing key signs. */
export function digestOf<K extends LedgerStruct>(scope: Scope, primaryType: K, message: LedgerMessages[K]): Hex {
  const { domain, types } = ledgerTypedData(scope, primaryType, message);
  return hashTypedData<Record<string, unknown>, string>({ domain, types, primaryType, message: { ...message } });
}

/** Returns ctx, the digest modulo r. This public signal binds a proof to its call. */
export function ctxOf(digest: Hex): bigint {
  return BigInt(digest) % FIELD_ORDER;
}
