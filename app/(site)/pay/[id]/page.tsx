import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { accountOwner, enrollmentOf, wallet } from "@/app/(dashboard)/owner";
import { checkableNetworks } from "@/app/(site)/checkable-networks";
import type { Visitor } from "@/components/payments/requests/visitor";
import { CheckPage } from "@/components/site/check-page";
import { PayLink } from "@/components/site/pay-link";
import { describeNetwork, toNetworkResource } from "@/lib/accounts/networks/describe-network";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID, type Network } from "@/lib/base/network";
import { getPublicRequest } from "@/lib/payments/requests/get-public-request";
import { ownPayment } from "@/lib/payments/requests/own-payment";
import { toPublicRequest } from "@/lib/payments/requests/payment-request-resource";
import { workerPath } from "@/lib/prover/worker-script";

export const metadata: Metadata = {
  title: "Pay a request",
  description: "A request for a confidential payment, decrypted and checked with the chain in your browser.",
  robots: { index: false },
  referrer: "no-referrer",
};

const FACTS = [
  {
    title: "Who asks",
    text: "The amount was signed by the payment key that the chain names for this address. It doesn't prove whose address it is: compare it with what the payee gave you.",
  },
  {
    title: "Who can see it",
    text: "Everyone who has the whole link. The part after # is the key; it stays in your browser, this page removes it from the address bar, and this service can't read the amount, the note or the lines.",
  },
  {
    title: "When it counts as paid",
    text: "When the payee's own software has decrypted your payment and found at least this amount. The service can't see amounts, so it can't decide that.",
  },
];

async function publicRequest(id: string) {
  try {
    return toPublicRequest(await getPublicRequest(id));
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}

async function visitorOf(network: Network, requestId: string): Promise<Visitor> {
  const signedIn = await wallet(network);
  if (!signedIn) return { at: "out" };
  const owner = await accountOwner(network);
  if (!owner || (await enrollmentOf(owner)).enrolled === "none") return { at: "no-account" };
  const description = toNetworkResource(await describeNetwork(CHAIN_ID[network]));
  return {
    at: "in",
    address: signedIn.address,
    handle: owner.account.handle,
    network: description,
    payment: await ownPayment(owner, requestId),
    vaultWorker: await workerPath("components/vault/worker.ts"),
  };
}

/** Shows a payment request to anyone with its link, and lets them pay it. */
export default async function PayPage({ params }: { params: Promise<{ id: string }> }) {
  const request = await publicRequest((await params).id);
  const [networks, visitor] = await Promise.all([
    checkableNetworks(),
    visitorOf(request.network, request.payment_request_id),
  ]);
  return (
    <CheckPage
      title="Payment request"
      summary="Decrypted by your own browser, and shown once the chain has confirmed who signed it."
      thing="payment request"
      facts={FACTS}
      dashboard={visitor.at === "out" ? undefined : `/${request.network}`}
    >
      <PayLink request={request} networks={networks} visitor={visitor} />
    </CheckPage>
  );
}
