import { type Address, hashMessage, isHex, recoverMessageAddress } from "viem";
import { parseSiweMessage, validateSiweMessage } from "viem/siwe";
import { CHAIN_ID, type ChainId } from "@/lib/base/network";
import { isValidSignature } from "@/lib/chain/erc1271";
import { MAX_SIGNATURE_LENGTH } from "@/lib/ledger/prepare/signature";

const MAX_MESSAGE = 4096;
/** How far the clock of who wrote a message may be from ours. That a message is fresh, its nonce proves. */
const LEEWAY_MS = 5 * 60_000;

/**
 * Matches a complete ERC-4361 message with no text before, between or after its fields: people must not sign anything
 * that is not checked.
 */
const MESSAGE = new RegExp(
  [
    String.raw`(?:[a-z][a-z0-9+.-]*:\/\/)?\S+ wants you to sign in with your Ethereum account:\n0x[0-9a-fA-F]{40}\n\n`,
    String.raw`(?:[^\n]+\n\n|\n)?URI: \S+\nVersion: 1\nChain ID: \d+\nNonce: [0-9a-zA-Z]+\nIssued At: \S+`,
    String.raw`(?:\nExpiration Time: \S+)?(?:\nNot Before: \S+)?(?:\nRequest ID: \S*)?(?:\nResources:(?:\n- \S+)*)?`,
  ]
    .join("")
    .replace(/^.*$/s, "^$&$$"),
);

/** A Sign-In With Ethereum message (ERC-4361) and the wallet's signature (EIP-191; ERC-1271 for a contract). */
interface SignedSiwe {
  message: string;
  signature: string;
}

/** The wallet that a message signs in. */
interface SignedIn {
  /** In lower case. */
  address: Address;
  nonce: string;
  /**
   * The network of the wallet's contract, null if the wallet is a key. On the other network, someone else may have a
   * contract at this address.
   */
  onlyOn: ChainId | null;
}

/**
 * Verifies a sign-in message and returns its wallet and nonce, or null if anything about it is wrong. Only version 1 is
 * accepted. Domain, URI and (if given) scheme must be those of the configured origin, never of the Host header. The
 * chain must be that of one of the two networks. Its times may be five minutes off. The caller uses up the nonce.
 *
 * @param accepts asks the wallet's contract on the chain that the message names
 * @throws ApiError `unavailable` if a contract has to be asked and its chain can't be reached
 */
export async function verifySiwe(
  { message, signature }: SignedSiwe,
  origin: string,
  now: Date,
  accepts = isValidSignature,
): Promise<SignedIn | null> {
  const tooLong = message.length > MAX_MESSAGE || signature.length > 2 + 2 * MAX_SIGNATURE_LENGTH;
  if (tooLong || !isHex(signature) || signature === "0x") return null;
  if (!MESSAGE.test(message)) return null;
  const fields = parseSiweMessage(message);
  const { expirationTime, notBefore, ...timeless } = fields;
  const { address, nonce, chainId, uri, issuedAt, scheme } = timeless;
  if (scheme !== undefined && `${scheme}:` !== new URL(origin).protocol) return null;
  if (!address || !nonce || !issuedAt) return null;
  const latest = now.getTime() + LEEWAY_MS;
  if (issuedAt.getTime() > latest || (notBefore && notBefore.getTime() > latest)) return null;
  if (expirationTime && expirationTime.getTime() <= now.getTime() - LEEWAY_MS) return null;
  if (chainId !== CHAIN_ID.test && chainId !== CHAIN_ID.live) return null;
  if (!uri || !URL.canParse(uri) || new URL(uri).origin !== origin) return null;
  if (!validateSiweMessage({ message: timeless, domain: new URL(origin).host, nonce })) return null;
  const wallet = address.toLowerCase() as Address;
  const signer = signature.length === 132 && (await recoverMessageAddress({ message, signature }).catch(() => null));
  if (signer && signer.toLowerCase() === wallet) return { address: wallet, nonce, onlyOn: null };
  const isContracts = await accepts(chainId, wallet, hashMessage(message), signature);
  return isContracts ? { address: wallet, nonce, onlyOn: chainId } : null;
}
