/**
 * Base class of the ledger library's errors. Messages say what to do next, and never contain an amount, a salt or a
 * key: they may end up in a log or an API response.
 */
export class LedgerError extends Error {
  override readonly name: string = "LedgerError";
}

/** Not a commitment as it is written or stored. */
export class InvalidCommitment extends LedgerError {
  override readonly name = "InvalidCommitment";
}

/** The available balance does not cover the payment. The error doesn't say how much there is. */
export class InsufficientAvailableBalance extends LedgerError {
  override readonly name = "InsufficientAvailableBalance";
  constructor() {
    super("The available balance does not cover this payment. Make more money available first.");
  }
}

/**
 * Notes, deposited money and old available balance together do not cover the new available balance of a move to the
 * available balance.
 */
export class InsufficientFunds extends LedgerError {
  override readonly name = "InsufficientFunds";
  constructor() {
    super("Your received and deposited money does not cover this amount. Make less available, or deposit more first.");
  }
}

/** An amount is not an integer of units between the bounds the operation allows. */
export class InvalidUnits extends LedgerError {
  override readonly name = "InvalidUnits";
  constructor() {
    super("An amount must be a whole number of units, more than zero where money moves, and below 2^64.");
  }
}

/**
 * A viewing key HPKE must not be used with: low order or not canonical (RFC 7748 section 6.1, RFC 9180 section 7.1.4).
 */
export class UnusableViewingKey extends LedgerError {
  override readonly name = "UnusableViewingKey";
  constructor() {
    super("The recipient's viewing key is unsafe: payments encrypted to it would not be secret.");
  }
}

/**
 * A ciphertext can't be decrypted: the key or context is wrong, it is damaged, or its content contradicts its
 * commitment.
 */
export class DecryptionFailed extends LedgerError {
  override readonly name = "DecryptionFailed";
  constructor(what: string) {
    super(`The ${what} can't be decrypted with this key.`);
  }
}

/** A text that is not an API key: wrong prefix, length, alphabet or checksum. */
export class InvalidApiKey extends LedgerError {
  override readonly name = "InvalidApiKey";
  constructor() {
    super("This is not an API key. Check that it was copied whole.");
  }
}

/** A text that is not a viewing key: wrong prefix, length, alphabet or checksum. */
export class InvalidViewingKey extends LedgerError {
  override readonly name = "InvalidViewingKey";
  constructor() {
    super("This is not a viewing key, or not the whole of one. It begins with hcvk_test_ or hcvk_live_.");
  }
}

/** A text that is not a recovery code: wrong length, alphabet or checksum. */
export class InvalidRecoveryCode extends LedgerError {
  override readonly name = "InvalidRecoveryCode";
  constructor() {
    super("This is not a recovery code. Check each group for a typing error.");
  }
}

/** A memo over 512 bytes of UTF-8, or with a lone surrogate. */
export class InvalidMemo extends LedgerError {
  override readonly name = "InvalidMemo";
  constructor() {
    super("A memo holds up to 512 bytes of well-formed text.");
  }
}

/** A decryption proof that cannot be decoded, is too old, or contradicts itself. */
export class InvalidDecryptionProof extends LedgerError {
  override readonly name = "InvalidDecryptionProof";
  constructor() {
    super("The decryption proof is damaged, out of date or inconsistent. Create a new one.");
  }
}

/** A text that is not a receipt: wrong prefix, length or alphabet, or an amount or salt no note has. */
export class InvalidReceipt extends LedgerError {
  override readonly name = "InvalidReceipt";
  constructor() {
    super("This is not a receipt, or not the whole of one. Copy it again from its source.");
  }
}

/** Bytes that are not a view, a malformed key, or a view that is too large. */
export class InvalidSharedView extends LedgerError {
  override readonly name = "InvalidSharedView";
  constructor(message = "This is not a view, or not the whole of its link. Ask for the link again.") {
    super(message);
  }
}

/** A text that is not a proof of funds, or a statement that can't have one. */
export class InvalidProofOfFunds extends LedgerError {
  override readonly name = "InvalidProofOfFunds";
  constructor() {
    super("This is not a proof of funds, or not the whole of one. Copy it again from its source.");
  }
}

/** A text that is not the complete link of a payment request. */
export class InvalidRequestLink extends LedgerError {
  override readonly name = "InvalidRequestLink";
  constructor() {
    super("This is not the link of a payment request, or not the whole of one. Copy it again from its source.");
  }
}

/** The prover's public signals differ from the plan's. */
export class ProofMismatch extends LedgerError {
  override readonly name = "ProofMismatch";
  constructor() {
    super("The proof is for other public signals than the client-signed document's.");
  }
}
