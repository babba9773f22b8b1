import type { Metadata } from "next";
import { enrollmentOf, requireWallet } from "@/app/(dashboard)/owner";
import { PageHeader } from "@/components/ui/page-header";
import { type FirstVisit, firstPayee } from "@/components/welcome/progress";
import { Welcome } from "@/components/welcome/welcome";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { readLedger } from "@/lib/balances/read-ledger";
import type { SessionContext } from "@/lib/base/context/context";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { listOwnTransfers } from "@/lib/payments/list-own-transfers";

export const metadata: Metadata = { title: "Welcome" };

const NOTHING: FirstVisit = {
  handle: null,
  enrolled: false,
  verified: false,
  funded: false,
  allocated: false,
  keyed: false,
  paid: false,
};

/** Returns how far the wallet's first visit is, from what exists. */
async function visitOf({ account, ...origin }: WalletContext): Promise<FirstVisit> {
  if (!account) return NOTHING;
  const ctx: SessionContext = { ...origin, actor: "session", account };
  const [enrollment, ledger, keys, sent] = await Promise.all([
    enrollmentOf(ctx),
    readLedger(ctx, { asset: "USDG" }),
    listKeys(ctx),
    listOwnTransfers(ctx, { direction: "sent", status: "confirmed", limit: 1, offset: 0 }),
  ]);
  const allocated = ledger.available.sealed !== null || ledger.available.sync_required;
  return {
    handle: `@${account.handle}`,
    enrolled: enrollment.enrolled === "enrolled",
    verified: enrollment.kycStatus === "verified" || enrollment.kycStatus === "enhanced",
    funded: ledger.credit !== "0" || ledger.notes.length > 0,
    allocated,
    keyed: keys.some(({ revokedAt }) => revokedAt === null),
    paid: sent.transfers.length > 0,
  };
}

/** The first visit, from a wallet to a first payment. Continues where it was after a reload. */
export default async function WelcomePage({ params }: { params: Promise<{ network: string }> }) {
  const signedIn = await requireWallet((await params).network);
  const [visit, { local }] = await Promise.all([visitOf(signedIn), describeNetwork(signedIn.chainId)]);
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader
        title={visit.handle ? `Welcome, ${visit.handle}` : "Welcome to Halcyon"}
        description="Seven short steps from your wallet to a first private payment: about three minutes."
      />
      <noscript>
        <p className="mb-6 text-sm">Keys are created in your browser, so these steps need JavaScript.</p>
      </noscript>
      <Welcome known={visit} local={local} address={signedIn.address} payee={firstPayee(local)} />
    </div>
  );
}
