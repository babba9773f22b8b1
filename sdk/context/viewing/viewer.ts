import type { Address } from "viem";
import { CHAIN_ID, type Network, networkOf } from "@/lib/base/network";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { InvalidViewingKey } from "@/lib/ledger/crypto/errors";
import type { X25519Keys } from "@/lib/ledger/crypto/keys";
import { decodeViewingKey, type ViewingCredential } from "@/lib/ledger/encrypted/viewing-key";
import { HalcyonError } from "../../api/errors";
import type { Chain } from "../../chain/chain";

/** The keys that decrypt amounts and memos: those of the wallet's account, or of a viewing key. */
export interface Viewer {
  /** The account whose payments, and whose agents' payments, they decrypt. Lower case. */
  account: Address;
  viewingKey: X25519Keys;
}

/**
 * Parses a viewing key from an option or a file.
 *
 * @throws HalcyonError `invalid_request` when it is invalid or for another network
 */
export function parseViewingKey(text: string, network: Network): ViewingCredential {
  const credential = decoded(text.trim());
  if (credential.chainId === CHAIN_ID[network]) return credential;
  const other = networkOf(credential.chainId);
  throw new HalcyonError("invalid_request", `This viewing key is of the ${other} network, not of ${network}.`);
}

function decoded(text: string): ViewingCredential {
  try {
    return decodeViewingKey(text);
  } catch (error) {
    throw error instanceof InvalidViewingKey ? new HalcyonError("invalid_request", error.message) : error;
  }
}

/**
 * Checks a viewing key against the ledger: it must belong to the account, and an API key used with it must belong to
 * the same account or one of its agents.
 *
 * @param caller address of the API key's account; undefined without an API key
 * @throws HalcyonError `invalid_request`
 */
export async function requireOwnViewer(chain: Chain, viewer: Viewer, caller: Address | undefined): Promise<void> {
  const [registered, called] = await Promise.all([
    chain.viewingKey(viewer.account),
    caller && caller.toLowerCase() !== viewer.account ? chain.account(caller) : undefined,
  ]);
  if (registered?.toLowerCase() !== toHex(viewer.viewingKey.publicKey)) {
    throw new HalcyonError(
      "invalid_request",
      "The ledger has another viewing key for this account. Check that the viewing key and `url` belong together.",
    );
  }
  if (called && called.owner.toLowerCase() !== viewer.account) {
    throw new HalcyonError("invalid_request", "The viewing key and the API key belong to different accounts.");
  }
}
