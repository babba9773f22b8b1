import { type Recipient, resolveRecipient } from "@/lib/accounts/resolve-recipient";
import { assetsOf } from "@/lib/base/assets";
import type { ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";
import { verifiersOf } from "@/lib/chain/verifiers-of";
import { type ReceivingKey, viewingKeyOf } from "@/lib/chain/viewing-key-of";
import { requireScreened } from "@/lib/payments/screening/require-screened";

/**
 * The recipient, and the key to encrypt for. The key is null only for a public payment to a recipient that has not
 * enrolled.
 */
export interface Receiver {
  recipient: Recipient;
  key: ReceivingKey | null;
}

/**
 * Finds the recipient of a payment, and checks that it can be paid in this way.
 *
 * @throws ApiError `recipient_not_found`, `invalid_request` (oneself, the ledger or one of its verifiers, a token's
 *   contract, an agent by a public payment), `recipient_not_confidential_ready`, `recipient_blocked` (a sanctioned
 *   address by a public payment), `unavailable`
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
  // The zero address, which stands for the chain's coin, counts as an asset too.
  const contracts = [chainEnv(chainId).ledger.toLowerCase(), ...assetsOf(chainId).map(({ address }) => address)];
  if (contracts.includes(recipient.address)) throw unspendable();
  if (!confidential && recipient.isAgent) {
    throw new ApiError("invalid_request", "Agents take confidential payments only: no one could move public ones.", {
      param: "confidential",
    });
  }
  const key = await viewingKeyOf(chainId, recipient.address);
  // Contracts can't enroll, so for an enrolled recipient the chain need not be asked.
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
  return new ApiError("invalid_request", "No one could spend what is paid to this address. Name another recipient.", {
    param: "to",
  });
}
