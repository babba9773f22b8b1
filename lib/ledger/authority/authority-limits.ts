/** The most agents in one `setAgentSigner`, so that its gas stays below a relayer's limit. */
export const MAX_AGENTS_AT_ONCE = 50;

/** The greatest 40-bit value, with which an agent's signer never expires. */
export const NO_END = (1n << 40n) - 1n;
