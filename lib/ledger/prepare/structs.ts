import { type Address, type Hex, hashTypedData } from "viem";
import { FIELD_ORDER } from "../crypto/field";
import type { Scope } from "../crypto/scope";

const field = (name: string, type: string) => ({ name, type });

/** The EIP-712 types of the ledger, one struct per function (docs/protocol.md section 4). Order and names are fixed. */
export const LEDGER_TYPES = {
  Enroll: [
    field("account", "address"),
    field("viewingKey", "bytes32"),
    field("spender", "address"),
    field("spenderUntil", "uint64"),
    field("sealedRootHash", "bytes32"),
    field("nonce", "uint64"),
    field("deadline", "uint64"),
  ],
  SetSpender: [
    field("account", "address"),
    field("spender", "address"),
    field("spenderUntil", "uint64"),
    field("nonce", "uint64"),
    field("deadline", "uint64"),
  ],
  Abandon: [
    field("account", "address"),
    field("asset", "address"),
    field("oldBudget", "uint256"),
    field("nonce", "uint64"),
    field("deadline", "uint64"),
  ],
  EnrollAgent: [
    field("agent", "address"),
    field("owner", "address"),
    field("nonce", "uint64"),
    field("deadline", "uint64"),
  ],
  Allocate: [
    field("account", "address"),
    field("asset", "address"),
    field("oldBudget", "uint256"),
    field("newBudget", "uint256"),
    field("notes", "uint256[8]"),
    field("credit", "uint64"),
    field("changeNote", "uint256"),
    field("ciphertextHash", "bytes32"),
    field("nonce", "uint64"),
    field("deadline", "uint64"),
  ],
  Transfer: [
    field("account", "address"),
    field("to", "address"),
    field("asset", "address"),
    field("oldBudget", "uint256"),
    field("newBudget", "uint256"),
    field("note", "uint256"),
    field("recipientCiphertextHash", "bytes32"),
    field("payerCiphertextHash", "bytes32"),
    field("deadline", "uint64"),
  ],
  Release: [
    field("account", "address"),
    field("to", "address"),
    field("asset", "address"),
    field("oldBudget", "uint256"),
    field("newBudget", "uint256"),
    field("amount", "uint64"),
    field("payerCiphertextHash", "bytes32"),
    field("deadline", "uint64"),
  ],
  Fund: [
    field("from", "address"),
    field("to", "address"),
    field("asset", "address"),
    field("fromOldBudget", "uint256"),
    field("fromNewBudget", "uint256"),
    field("toOldBudget", "uint256"),
    field("toNewBudget", "uint256"),
    field("fromCiphertextHash", "bytes32"),
    field("toCiphertextHash", "bytes32"),
    field("deadline", "uint64"),
  ],
} as const;

/** The messages of `LEDGER_TYPES`. Addresses and hashes are hex, every integer a bigint; times are Unix seconds. */
export interface LedgerMessages {
  Enroll: {
    account: Address;
    viewingKey: Hex;
    spender: Address;
    spenderUntil: bigint;
    sealedRootHash: Hex;
    nonce: bigint;
    deadline: bigint;
  };
  SetSpender: { account: Address; spender: Address; spenderUntil: bigint; nonce: bigint; deadline: bigint };
  Abandon: { account: Address; asset: Address; oldBudget: bigint; nonce: bigint; deadline: bigint };
  EnrollAgent: { agent: Address; owner: Address; nonce: bigint; deadline: bigint };
  Allocate: {
    account: Address;
    asset: Address;
    oldBudget: bigint;
    newBudget: bigint;
    notes: readonly bigint[];
    credit: bigint;
    changeNote: bigint;
    ciphertextHash: Hex;
    nonce: bigint;
    deadline: bigint;
  };
  Transfer: {
    account: Address;
    to: Address;
    asset: Address;
    oldBudget: bigint;
    newBudget: bigint;
    note: bigint;
    recipientCiphertextHash: Hex;
    payerCiphertextHash: Hex;
    deadline: bigint;
  };
  Release: {
    account: Address;
    to: Address;
    asset: Address;
    oldBudget: bigint;
    newBudget: bigint;
    amount: bigint;
    payerCiphertextHash: Hex;
    deadline: bigint;
  };
  Fund: {
    from: Address;
    to: Address;
    asset: Address;
    fromOldBudget: bigint;
    fromNewBudget: bigint;
    toOldBudget: bigint;
    toNewBudget: bigint;
    fromCiphertextHash: Hex;
    toCiphertextHash: Hex;
    deadline: bigint;
  };
}

export type LedgerStruct = keyof LedgerMessages;

/** Typed data as wallets sign it (EIP-712), for one ledger. */
export interface LedgerTypedData<K extends LedgerStruct = LedgerStruct> {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address; salt: Hex };
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: K;
  message: LedgerMessages[K];
}

/** The typed data of one ledger call, ready for `signTypedData` of a wallet. */
export function ledgerTypedData<K extends LedgerStruct>(
  scope: Scope,
  primaryType: K,
  message: LedgerMessages[K],
): LedgerTypedData<K> {
  return {
    domain: {
      name: "Halcyon Ledger",
      version: "1",
      chainId: scope.chainId,
      verifyingContract: scope.ledger,
      salt: scope.domainSalt,
    },
    types: { [primaryType]: LEDGER_TYPES[primaryType] },
    primaryType,
    message,
  };
}

/** The EIP-712 digest that wallet or spender signs. */
export function digestOf<K extends LedgerStruct>(scope: Scope, primaryType: K, message: LedgerMessages[K]): Hex {
  const { domain, types } = ledgerTypedData(scope, primaryType, message);
  return hashTypedData<Record<string, unknown>, string>({ domain, types, primaryType, message: { ...message } });
}

/** ctx: the digest modulo r, the public signal that binds a proof to its call. */
export function ctxOf(digest: Hex): bigint {
  return BigInt(digest) % FIELD_ORDER;
}
