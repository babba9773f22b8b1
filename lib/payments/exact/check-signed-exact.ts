import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { refuseDocument } from "@/lib/balances/check-document";
import type { Asset } from "@/lib/base/assets";
import type { ContextAccount } from "@/lib/base/context/context";
import type { ChainId } from "@/lib/base/network";
import { domainOfToken } from "@/lib/chain/domain-of-token";
import { isSignedExactly, TAKE_SECONDS } from "@/lib/ledger/exact/authorizations";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import type { ApproveInput } from "@/lib/payments/approvals/schema";
import { takenBefore, termsOf } from "./one-time";
import type { ExactToRecord } from "./record-exact";

/** What the owner's client has signed with the one-time address's key, in addition to the payment to that address. */
export type SignedExact = NonNullable<ApproveInput["exact"]>;

/** How much a client's clock may differ, in seconds. */
const CLOCKS = 600n;

/**
 * Checks both authorizations of a payment that the owner's client has signed: they must be over the payment's public
 * amount, one to the seller that the agent asked for, the other back to the owner.
 *
 * @throws ApiError `invalid_request` naming `exact`
 */
export async function checkSignedExact(
  chainId: ChainId,
  payer: ContextAccount,
  asset: Asset,
  seller: Recipient,
  document: SignedPayment,
  signed: SignedExact | undefined,
): Promise<ExactToRecord> {
  if (document.kind !== "spend_public") {
    throw refuseDocument("kind", "A payment to an `exact` seller is a public one under a policy.");
  }
  if (!signed) {
    throw refuseDocument(
      "exact",
      "This payment goes to an `exact` seller: sign what the seller takes. Update your client.",
    );
  }
  const latest = takenBefore(new Date());
  const validBefore = BigInt(signed.valid_before);
  if (validBefore > latest + CLOCKS || validBefore + CLOCKS < latest) {
    throw refuseDocument("exact", `The seller has ${TAKE_SECONDS / 60} minutes from now.`);
  }
  const terms = termsOf(payer, {
    address: document.to,
    seller: seller.address,
    value: BigInt(document.amount) * asset.unit,
    validBefore,
    paymentId: document.payment_id,
  });
  const signatures = { signature: signed.signature, returnSignature: signed.return_signature };
  if (await isSignedExactly(await domainOfToken(chainId, asset.address), terms, signatures)) {
    return { ...terms, ...signatures };
  }
  throw refuseDocument("exact", "These are not the one-time address's signatures over this payment.");
}
