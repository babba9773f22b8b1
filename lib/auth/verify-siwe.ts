import { type Address, isHex, recoverMessageAddress } from "viem";
import { parseSiweMessage, validateSiweMessage } from "viem/siwe";
import { CHAIN_ID } from "@/lib/network";

const MAX_MESSAGE = 4096;

/** A Sign-In With Ethereum message (ERC-4361) and the wallet's signature (EIP-191). */
export interface SignedSiwe {
  message: string;
  signature: string;
}

/**
 * The wallet a message signs in, and its nonce; null when anything about it is wrong. Domain and URI must be the
 * configured origin (never the Host header), the chain one of the two networks'. The caller uses up the nonce.
 */
export async function verifySiwe(
  { message, signature }: SignedSiwe,
  origin: string,
  now: Date,
): Promise<{ address: Address; nonce: string } | null> {
  if (message.length > MAX_MESSAGE || !isHex(signature) || signature.length !== 132) return null;
  const fields = parseSiweMessage(message);
  const { address, nonce, chainId, uri, issuedAt } = fields;
  if (!address || !nonce || !issuedAt || issuedAt.getTime() > now.getTime() + 60_000) return null;
  if (chainId !== CHAIN_ID.test && chainId !== CHAIN_ID.live) return null;
  if (!uri || !URL.canParse(uri) || new URL(uri).origin !== origin) return null;
  if (!validateSiweMessage({ message: fields, domain: new URL(origin).host, nonce, time: now })) return null;
  const signer = await recoverMessageAddress({ message, signature }).catch(() => null);
  if (signer?.toLowerCase() !== address.toLowerCase()) return null;
  return { address: address.toLowerCase() as Address, nonce };
}
