import { type Recipient, resolveRecipient } from "@/lib/accounts/resolve-recipient";
import { assetsOf } from "@/lib/assets";
import { chainEnv } from "@/lib/chain/clients";
import { verifiersOf } from "@/lib/chain/verifiers-of";
import { type ReceivingKey, viewingKeyOf } from "@/lib/chain/viewing-key-of";
import type { ContextAccount } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import type { ChainId } from "@/lib/network";
import { requireScreened } from "@/lib/screening/require-screened";

/** Who is paid, and the key to seal to; the key is null only for a public payment to someone not enrolled. */
export interface Receiver {
  recipient: Recipient;
  key: ReceivingKey | null;
}

/**
 * Finds the receiver of a payment and whether it can be paid that way.
 *
 * @throws recipient_not_found, invalid_request (oneself, the ledger or one of its verifiers, a token's contract, publicly
 * an agent), recipient_not_confidential_ready, recipient_blocked (publicly, a sanctioned address), unavailable
 */
export async function findReceiver(
  chainId: ChainId,
  payer: ContextAccount,
  to: string,
  confidential: boolean,
): Promise<Receiver> {
  const recipient = await resolveRecipient(chainId, to);
  if (recipient.address === payer.address) {
    throw new ApiError("invalid_request", "An account cannot pay itself. Name another recipient.", { param: "to" });
  }
  // The zero address is an asset's as well: it stands for the chain's coin.
  const contracts = [chainEnv(chainId).ledger.toLowerCase(), ...assetsOf(chainId).map(({ address }) => address)];
  if (contracts.includes(recipient.address)) throw unspendable();
  if (!confidential && recipient.isAgent) {
    throw new ApiError("invalid_request", "Agents take confidential payments only: nobody could move public ones.", {
      param: "confidential",
    });
  }
  const key = await viewingKeyOf(chainId, recipient.address);
  // Contracts can't enroll, so an enrolled recipient is paid without asking the chain.
  if (!key && Object.values(await verifiersOf(chainId)).includes(recipient.address)) throw unspendable();
  if (confidential && !key) {
    throw new ApiError(
      "recipient_not_confidential_ready",
      "This recipient cannot receive confidential payments on this network. Send publicly with `confidential: false`.",
      { param: "to" },
    );
  }
  if (!confidential) await requireScreened(chainId, recipient.address);
  return { recipient, key };
}

function unspendable(): ApiError {
  return new ApiError("invalid_request", "Nobody could spend what is paid to this address. Name another recipient.", {
    param: "to",
  });
}
