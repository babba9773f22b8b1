import { type Address, domainSeparator, type Hex } from "viem";

/** The EIP-712 domain of a token with EIP-3009. */
export interface TokenDomain {
  name: string;
  version: string;
  chainId: number;
  verifyingContract: Address;
}

/**
 * Returns the EIP-712 domain of a token with this name, assuming version 1, since not every token exposes its version.
 * Returns null if the result differs from the token's own separator.
 */
export function tokenDomain(chainId: number, token: Address, name: string, separator: Hex): TokenDomain | null {
  const domain = { name, version: "1", chainId, verifyingContract: token };
  return domainSeparator({ domain }) === separator ? domain : null;
}
