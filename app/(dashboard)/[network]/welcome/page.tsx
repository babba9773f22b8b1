import type { Metadata } from "next";
import { enrollmentOf, requireWallet } from "@/app/(dashboard)/owner";
import { PageHeader } from "@/components/ui/page-header";
import type { Waiting } from "@/components/welcome/money-step";
import { type FirstVisit, firstPayee } from "@/components/welcome/progress";
import { Welcome } from "@/components/welcome/welcome";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { readLedger } from "@/lib/balances/read-ledger";
import type { SessionContext } from "@/lib/base/context/context";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { formatAmount } from "@/lib/base/money";
import { listOwnTransfers } from "@/lib/payments/list-own-transfers";

export const metadata: Metadata = { title: "Welcome" };

const USDG_DECIMALS = 6;

const NOTHING: FirstVisit = {
  handle: null,
  enrolled: false,
  verified: false,
  madeAvailable: false,
  paid: false,
};

interface Found {
  visit: FirstVisit;
  waiting: Waiting | null;
  keyed: boolean;
}

/** Returns how far the wallet's first visit is, from what exists. */
async function findVisit({ account, ...origin }: WalletContext): Promise<Found> {
  if (!account) return { visit: NOTHING, waiting: null, keyed: false };
  const ctx: SessionContext = { ...origin, actor: "session", account };
  const [enrollment, ledger, keys, sent] = await Promise.all([
    enrollmentOf(ctx),
    readLedger(ctx, { asset: "USDG" }),
    listKeys(ctx),
    listOwnTransfers(ctx, { direction: "sent", status: "confirmed", limit: 1, offset: 0 }),
  ]);
  const isThere = ledger.deposited !== "0" || ledger.notes.length > 0;
  return {
    visit: {
      handle: `@${account.handle}`,
      enrolled: enrollment.enrolled === "enrolled",
      verified: enrollment.kycStatus === "verified" || enrollment.kycStatus === "enhanced",
      madeAvailable: ledger.available.encrypted !== null || ledger.available.sync_required,
      paid: sent.transfers.length > 0,
    },
    waiting: isThere ? { deposited: formatAmount(BigInt(ledger.deposited), USDG_DECIMALS) } : null,
    keyed: keys.some(({ revokedAt }) => revokedAt === null),
  };
}

/** The first visit, from a wallet to a first payment. Continues where it was after a reload. */
export default async function WelcomePage({ params }: { params: Promise<{ network: string }> }) {
  const signedIn = await requireWallet((await params).network);
  const [{ visit, waiting, keyed }, { local }] = await Promise.all([
    findVisit(signedIn),
    describeNetwork(signedIn.chainId),
  ]);
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader
        title={visit.handle ? `Welcome, ${visit.handle}` : "Welcome to Halcyon"}
        description="Five short steps to a first private payment: about two minutes."
      />
      <noscript>
        <p className="mb-6 text-sm">Keys are created in your browser, so these steps need JavaScript.</p>
      </noscript>
      <Welcome
        known={visit}
        local={local}
        address={signedIn.address}
        payee={firstPayee(local)}
        waiting={waiting}
        keyed={keyed}
      />
    </div>
  );
}
