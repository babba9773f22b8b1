/** The most agents of one `setAgentSigner`, so that its gas stays below a relayer's limit. */
export const MAX_AGENTS_AT_ONCE = 50;

/** The ledger keeps the end of an agent's signer in 40 bits; the greatest is no end. */
export const NO_END = (1n << 40n) - 1n;
