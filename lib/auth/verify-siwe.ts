import { type Address, isHex, recoverMessageAddress } from "viem";
import { parseSiweMessage, validateSiweMessage } from "viem/siwe";
import { CHAIN_ID } from "@/lib/network";

const MAX_MESSAGE = 4096;

/** A whole message of ERC-4361, with nothing before, between or behind: what people sign is all that was checked. */
const MESSAGE = new RegExp(
  [
    String.raw`(?:[a-z][a-z0-9+.-]*:\/\/)?\S+ wants you to sign in with your Ethereum account:\n0x[0-9a-fA-F]{40}\n\n`,
    String.raw`(?:[^\n]+\n\n|\n)?URI: \S+\nVersion: 1\nChain ID: \d+\nNonce: [0-9a-zA-Z]+\nIssued At: \S+`,
    String.raw`(?:\nExpiration Time: \S+)?(?:\nNot Before: \S+)?(?:\nRequest ID: \S*)?(?:\nResources:(?:\n- \S+)*)?`,
  ]
    .join("")
    .replace(/^.*$/s, "^$&$$"),
);

/** A Sign-In With Ethereum message (ERC-4361) and the wallet's signature (EIP-191). */
interface SignedSiwe {
  message: string;
  signature: string;
}

/**
 * The wallet a message signs in, and its nonce; null when anything about it is wrong. It is a message of version 1 and
 * nothing else; domain, scheme (where it names one) and URI are the configured origin's (never the Host header's), the
 * chain is one of the two networks'. The caller uses up the nonce.
 */
export async function verifySiwe(
  { message, signature }: SignedSiwe,
  origin: string,
  now: Date,
): Promise<{ address: Address; nonce: string } | null> {
  if (message.length > MAX_MESSAGE || !isHex(signature) || signature.length !== 132) return null;
  if (!MESSAGE.test(message)) return null;
  const fields = parseSiweMessage(message);
  const { address, nonce, chainId, uri, issuedAt, scheme } = fields;
  if (scheme !== undefined && `${scheme}:` !== new URL(origin).protocol) return null;
  if (!address || !nonce || !issuedAt || issuedAt.getTime() > now.getTime() + 60_000) return null;
  if (chainId !== CHAIN_ID.test && chainId !== CHAIN_ID.live) return null;
  if (!uri || !URL.canParse(uri) || new URL(uri).origin !== origin) return null;
  if (!validateSiweMessage({ message: fields, domain: new URL(origin).host, nonce, time: now })) return null;
  const signer = await recoverMessageAddress({ message, signature }).catch(() => null);
  if (signer?.toLowerCase() !== address.toLowerCase()) return null;
  return { address: address.toLowerCase() as Address, nonce };
}
