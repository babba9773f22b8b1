import type { Address, Hex } from "viem";

const field = <const N extends string, const T extends string>(name: N, type: T) => ({ name, type });

const WORDS = [field("oldAvailable", "uint256"), field("newAvailable", "uint256")] as const;
const PAYMENT_END = [
  field("payerCiphertextHash", "bytes32"),
  field("policyVersion", "uint64"),
  field("deadline", "uint64"),
] as const;
const PARTIES = [field("account", "address"), field("to", "address"), field("asset", "address")] as const;
const NONCE_END = [field("nonce", "uint64"), field("deadline", "uint64")] as const;

/** The struct in the `payments` of `TransferMany`. */
export const PAYMENT_TYPE = [
  field("to", "address"),
  field("note", "uint256"),
  field("recipientCiphertextHash", "bytes32"),
] as const;

/**
 * The EIP-712 types of the ledger, one struct per function (docs/protocol.md section 4). Their order and names are
 * fixed.
 */
export const LEDGER_TYPES = {
  Enroll: [
    field("account", "address"),
    field("viewingKey", "bytes32"),
    field("paymentKey", "address"),
    field("paymentKeyUntil", "uint64"),
    field("encryptedAccountKeyHash", "bytes32"),
    ...NONCE_END,
  ],
  SetPaymentKey: [
    field("account", "address"),
    field("paymentKey", "address"),
    field("paymentKeyUntil", "uint64"),
    ...NONCE_END,
  ],
  SetGuarded: [field("account", "address"), field("guarded", "bool"), ...NONCE_END],
  Abandon: [field("account", "address"), field("asset", "address"), field("oldAvailable", "uint256"), ...NONCE_END],
  EnrollAgent: [field("agent", "address"), field("owner", "address"), ...NONCE_END],
  SetAgentSigner: [
    field("owner", "address"),
    field("agents", "address[]"),
    field("signers", "address[]"),
    field("policyVersions", "uint64[]"),
    field("until", "uint64"),
    field("deadline", "uint64"),
  ],
  SetPolicy: [
    field("account", "address"),
    field("limited", "bool"),
    field("recipientsRoot", "bytes32"),
    field("documentHash", "bytes32"),
    field("assets", "address[]"),
    field("commitments", "uint256[]"),
    field("policyVersion", "uint64"),
    field("deadline", "uint64"),
  ],
  MakeAvailable: [
    field("account", "address"),
    field("asset", "address"),
    ...WORDS,
    field("notes", "uint256[8]"),
    field("deposited", "uint64"),
    field("changeNote", "uint256"),
    field("ciphertextHash", "bytes32"),
    ...NONCE_END,
  ],
  Transfer: [
    ...PARTIES,
    ...WORDS,
    field("note", "uint256"),
    field("recipientCiphertextHash", "bytes32"),
    ...PAYMENT_END,
  ],
  Release: [...PARTIES, ...WORDS, field("amount", "uint64"), field("paymentId", "bytes32"), ...PAYMENT_END],
  Spend: [
    ...PARTIES,
    ...WORDS,
    field("note", "uint256"),
    field("mode", "uint8"),
    field("day", "uint32"),
    field("encryptedAmount", "uint256"),
    field("recipientCiphertextHash", "bytes32"),
    ...PAYMENT_END,
  ],
  SpendPublic: [
    ...PARTIES,
    ...WORDS,
    field("amount", "uint64"),
    field("mode", "uint8"),
    field("day", "uint32"),
    field("paymentId", "bytes32"),
    ...PAYMENT_END,
  ],
  TransferMany: [
    field("account", "address"),
    field("asset", "address"),
    ...WORDS,
    field("payments", "Payment[]"),
    ...PAYMENT_END,
  ],
  Fund: [
    field("from", "address"),
    field("to", "address"),
    field("asset", "address"),
    field("fromOldAvailable", "uint256"),
    field("fromNewAvailable", "uint256"),
    field("toOldAvailable", "uint256"),
    field("toNewAvailable", "uint256"),
    field("paymentId", "bytes32"),
    field("fromCiphertextHash", "bytes32"),
    field("toCiphertextHash", "bytes32"),
    field("deadline", "uint64"),
  ],
} as const;

type Fields = readonly { name: string; type: string }[];
type ValueOf<T extends string> = T extends `${infer Item}[${string}]`
  ? readonly ValueOf<Item>[]
  : T extends "Payment"
    ? MessageOf<typeof PAYMENT_TYPE>
    : T extends "address"
      ? Address
      : T extends "bytes32"
        ? Hex
        : T extends "bool"
          ? boolean
          : bigint;
type MessageOf<F extends Fields> = { [One in F[number] as One["name"]]: ValueOf<One["type"]> };

export type LedgerStruct = keyof typeof LEDGER_TYPES;

/**
 * The messages of `LEDGER_TYPES`. Addresses and hashes are hex, all integers are bigints, and times are Unix seconds.
 */
export type LedgerMessages = { [K in LedgerStruct]: MessageOf<(typeof LEDGER_TYPES)[K]> };
