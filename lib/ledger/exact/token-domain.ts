import { type Address, domainSeparator, type Hex } from "viem";

/** The EIP-712 domain of a token with EIP-3009. */
export interface TokenDomain {
  name: string;
  version: string;
  chainId: number;
  verifyingContract: Address;
}

/**
 * The domain under which a token of this name signs, version 1; null when the token's own hash is another's: its version
 * is not readable everywhere.
 */
export function tokenDomain(chainId: number, token: Address, name: string, separator: Hex): TokenDomain | null {
  const domain = { name, version: "1", chainId, verifyingContract: token };
  return domainSeparator({ domain }) === separator ? domain : null;
}
