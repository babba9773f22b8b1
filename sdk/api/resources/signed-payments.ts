/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** A move between an account and its agent, proved and signed. */
export interface SignedFund {
  /** A move of money between an account and its agent. */
  kind: "fund";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** The ledger takes it once for each account. */
  payment_id: `0x${string}`;
  /** Commitment to the recipient's available balance before the move. */
  to_old_available: `0x${string}`;
  /** Commitment to the recipient's available balance after the move. */
  to_new_available: `0x${string}`;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The move, encrypted for the recipient. */
  to_ciphertext: `0x${string}`;
  /** The recipient's available balance after the move, encrypted. */
  to_next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
  /** EIP-712 signature of the payment: 65 bytes of a key, or what a contract wallet takes (ERC-1271). */
  signature: `0x${string}`;
}

/** A client-signed payment, ready to submit. The SDK creates it. */
export type SignedPayment = SignedTransfer | SignedRelease | SignedSpend | SignedSpendPublic | SignedFund;

/** A public payment, proved and signed. */
export interface SignedRelease {
  /** A public payment. */
  kind: "release";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** The amount in the smallest unit of the asset, as a decimal string. Public. */
  amount: string;
  /** The ledger takes it once for each account. */
  payment_id: `0x${string}`;
  /** The memo, encrypted for the recipient. */
  recipient_memo_ciphertext?: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
  /** EIP-712 signature of the payment: 65 bytes of a key, or what a contract wallet takes (ERC-1271). */
  signature: `0x${string}`;
}

/** A confidential payment under a policy, proved and signed. */
export interface SignedSpend {
  /** A confidential payment under a policy. */
  kind: "spend";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** Commitment to the amount that the recipient receives. */
  note: `0x${string}`;
  /** The payment, encrypted for the recipient. */
  recipient_ciphertext: `0x${string}`;
  /** Who signs: 0 the payer's own key, 1 its owner's key, which approves, 2 the owner's wallet. */
  mode: 0 | 1 | 2;
  /** The calendar day it counts on in the policy's time zone, as days since 1970-01-01. 0 in mode 2. */
  day: number;
  /** Commitment to the payer's limits for this asset, as the ledger has it. */
  policy_commitment: `0x${string}`;
  /** The amount under a pad that the payer's balances open. */
  encrypted_amount: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
  /** EIP-712 signature of the payment: 65 bytes of a key, or what a contract wallet takes (ERC-1271). */
  signature: `0x${string}`;
}

/** A public payment under a policy, proved and signed. */
export interface SignedSpendPublic {
  /** A public payment under a policy. */
  kind: "spend_public";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** The amount in the smallest unit of the asset, as a decimal string. Public. */
  amount: string;
  /** The ledger takes it once for each account. */
  payment_id: `0x${string}`;
  /** The memo, encrypted for the recipient. */
  recipient_memo_ciphertext?: `0x${string}`;
  /** Who signs: 0 the payer's own key, 1 its owner's key, which approves, 2 the owner's wallet. */
  mode: 0 | 1 | 2;
  /** The calendar day it counts on in the policy's time zone, as days since 1970-01-01. 0 in mode 2. */
  day: number;
  /** Commitment to the payer's limits for this asset, as the ledger has it. */
  policy_commitment: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
  /** EIP-712 signature of the payment: 65 bytes of a key, or what a contract wallet takes (ERC-1271). */
  signature: `0x${string}`;
}

/** A confidential payment, proved and signed. */
export interface SignedTransfer {
  /** A confidential payment. */
  kind: "transfer";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** Commitment to the amount that the recipient receives. */
  note: `0x${string}`;
  /** The payment, encrypted for the recipient. */
  recipient_ciphertext: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
  /** EIP-712 signature of the payment: 65 bytes of a key, or what a contract wallet takes (ERC-1271). */
  signature: `0x${string}`;
}

/** A payment that your machine has built and the service signs. */
export type UnsignedPayment = UnsignedTransfer | UnsignedRelease | UnsignedSpend | UnsignedSpendPublic;

/** A public payment, proved and not signed. */
export interface UnsignedRelease {
  /** A public payment. */
  kind: "release";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** The amount in the smallest unit of the asset, as a decimal string. Public. */
  amount: string;
  /** The ledger takes it once for each account. */
  payment_id: `0x${string}`;
  /** The memo, encrypted for the recipient. */
  recipient_memo_ciphertext?: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
}

/** Rows of a payout that your machine has built and the service signs. */
export type UnsignedRows = UnsignedTransfer | UnsignedTransferMany;

/** A confidential payment under a policy, proved and not signed. */
export interface UnsignedSpend {
  /** A confidential payment under a policy. */
  kind: "spend";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** Commitment to the amount that the recipient receives. */
  note: `0x${string}`;
  /** The payment, encrypted for the recipient. */
  recipient_ciphertext: `0x${string}`;
  /** Who signs: 0 the payer's own key, 1 its owner's key, which approves, 2 the owner's wallet. */
  mode: 0 | 1 | 2;
  /** The calendar day it counts on in the policy's time zone, as days since 1970-01-01. 0 in mode 2. */
  day: number;
  /** Commitment to the payer's limits for this asset, as the ledger has it. */
  policy_commitment: `0x${string}`;
  /** The amount under a pad that the payer's balances open. */
  encrypted_amount: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
}

/** A public payment under a policy, proved and not signed. */
export interface UnsignedSpendPublic {
  /** A public payment under a policy. */
  kind: "spend_public";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** The amount in the smallest unit of the asset, as a decimal string. Public. */
  amount: string;
  /** The ledger takes it once for each account. */
  payment_id: `0x${string}`;
  /** The memo, encrypted for the recipient. */
  recipient_memo_ciphertext?: `0x${string}`;
  /** Who signs: 0 the payer's own key, 1 its owner's key, which approves, 2 the owner's wallet. */
  mode: 0 | 1 | 2;
  /** The calendar day it counts on in the policy's time zone, as days since 1970-01-01. 0 in mode 2. */
  day: number;
  /** Commitment to the payer's limits for this asset, as the ledger has it. */
  policy_commitment: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
}

/** A confidential payment, proved and not signed. */
export interface UnsignedTransfer {
  /** A confidential payment. */
  kind: "transfer";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** Commitment to the amount that the recipient receives. */
  note: `0x${string}`;
  /** The payment, encrypted for the recipient. */
  recipient_ciphertext: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
}

/** 2 to 16 payments in one proof, proved and not signed. */
export interface UnsignedTransferMany {
  /** 2 to 16 confidential payments in one proof. */
  kind: "transfer_many";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_available: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_available: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    encrypted: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
  policy_version: string;
  /** The payments, in the order in which the ledger makes them. */
  payments: {
    /** Address of the recipient, in lower case. */
    to: `0x${string}`;
    /** Commitment to the amount that the recipient receives. */
    note: `0x${string}`;
    /** The payment, encrypted for the recipient. */
    recipient_ciphertext: `0x${string}`;
    /** The memo, encrypted. Every memo has the same length. */
    memo_ciphertext?: `0x${string}`;
  }[];
  /** All payments, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
}
