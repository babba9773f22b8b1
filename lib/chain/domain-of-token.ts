import { type Address, erc20Abi, parseAbi } from "viem";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { type TokenDomain, tokenDomain } from "@/lib/ledger/exact/token-domain";
import { publicClient } from "./clients";

const separatorAbi = parseAbi(["function DOMAIN_SEPARATOR() view returns (bytes32)"]);
const known = new Map<string, TokenDomain>();

/**
 * Returns the EIP-712 domain of a token. It never changes, so each process asks the chain once.
 *
 * @throws ApiError `unavailable` if this version doesn't know the token's domain; viem's error if the chain can't be
 *   reached
 */
export async function domainOfToken(chainId: ChainId, token: Address): Promise<TokenDomain> {
  const key = `${chainId} ${token}`;
  const before = known.get(key);
  if (before) return before;
  const client = publicClient(chainId);
  const [name, separator] = await Promise.all([
    client.readContract({ address: token, abi: erc20Abi, functionName: "name" }),
    client.readContract({ address: token, abi: separatorAbi, functionName: "DOMAIN_SEPARATOR" }),
  ]);
  const domain = tokenDomain(chainId, token, name, separator);
  if (!domain) throw new ApiError("unavailable", "The token signs under a domain this version does not know.");
  known.set(key, domain);
  return domain;
}
