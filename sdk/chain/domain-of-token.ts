import { type Address, parseAbi } from "viem";
import { type TokenDomain, tokenDomain } from "@/lib/ledger/exact/token-domain";
import { HalcyonError } from "../api/errors";
import type { Chain } from "./chain";

const abi = parseAbi(["function name() view returns (string)", "function DOMAIN_SEPARATOR() view returns (bytes32)"]);

/**
 * Returns the EIP-712 domain of a token with EIP-3009, read from the client's own chain.
 *
 * @throws HalcyonError `unavailable` for a domain that this version does not know
 */
export async function domainOfToken(chain: Chain, chainId: number, token: Address): Promise<TokenDomain> {
  const [name, separator] = await Promise.all([
    chain.client.readContract({ address: token, abi, functionName: "name" }),
    chain.client.readContract({ address: token, abi, functionName: "DOMAIN_SEPARATOR" }),
  ]);
  const domain = tokenDomain(chainId, token, name, separator);
  if (domain) return domain;
  throw new HalcyonError("unavailable", "The token signs under a domain this version does not know.");
}
