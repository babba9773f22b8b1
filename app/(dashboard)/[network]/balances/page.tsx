import type { Metadata } from "next";
import { enrollmentOf, owner } from "@/app/(dashboard)/owner";
import { isEmpty, toAssetFacts } from "@/components/money/asset-facts";
import { BalancesPanel } from "@/components/money/balances";
import { Dialogs } from "@/components/money/dialogs";
import { DoLink } from "@/components/money/do-link";
import { FundsPanel } from "@/components/money/funds-panel";
import { NoMoneyYet } from "@/components/money/no-money-yet";
import { PendingOperations } from "@/components/money/pending-operations";
import { VerifyPanel } from "@/components/money/verify-panel";
import { Address } from "@/components/ui/address";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { listAgents } from "@/lib/agents/list-agents";
import { readLedger } from "@/lib/balances/read-ledger";
import { isoTime } from "@/lib/base/clock";
import { listPendingOperations } from "@/lib/chain/operations/list-pending-operations";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";

export const metadata: Metadata = { title: "Balances" };

/** The account's balances and what can be done with them. */
export default async function BalancesPage({ params }: { params: Promise<{ network: string }> }) {
  const ctx = await owner((await params).network);
  const [{ assets, local }, agents, pending, { kycStatus, strict, enrolled }] = await Promise.all([
    describeNetwork(ctx.chainId),
    listAgents(ctx),
    listPendingOperations(ctx),
    enrollmentOf(ctx),
  ]);
  const facts = await Promise.all(
    assets.map(async (asset) => toAssetFacts(await readLedger(ctx, { asset: asset.symbol }), asset)),
  );
  const nothing = facts.every(isEmpty) && agents.length === 0;
  const verified = kycStatus === "verified" || kycStatus === "enhanced";
  return (
    <>
      <PageHeader
        title="Balances"
        description="What your account holds, and what you can pay from it. Amounts are decrypted in this browser only."
        action={
          !nothing && (
            <>
              <DoLink act="add-funds" className={buttonClass()}>
                Add funds
              </DoLink>
              <DoLink act="withdraw" className={buttonClass()}>
                Withdraw
              </DoLink>
              <DoLink act="send" className={buttonClass("primary")}>
                Send
              </DoLink>
            </>
          )
        }
      />
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="font-medium">@{ctx.account.handle}</span>
          <Address value={ctx.account.address} label="address" className="text-muted" />
          {enrolled === "pending" && <Badge tone="warning">Enrolling</Badge>}
          {verified ? (
            <Badge tone="success">Identity verified</Badge>
          ) : (
            <Badge tone="warning">Identity not verified</Badge>
          )}
          {strict && <Badge>Client-signed payments required</Badge>}
        </div>
        <PendingOperations
          operations={pending.map((operation) => ({
            ...toOperationResource(operation),
            created_at: isoTime(operation.createdAt),
            agent: operation.agent && `@${operation.agent}`,
          }))}
        />
        {nothing ? (
          <NoMoneyYet local={local} />
        ) : (
          <>
            <BalancesPanel
              assets={facts}
              agents={agents.map(({ id, handle }) => ({ handle: `@${handle}`, href: `/${ctx.network}/agents/${id}` }))}
            />
            <VerifyPanel verified={verified} />
            <FundsPanel />
          </>
        )}
      </div>
      <Dialogs assets={facts} address={ctx.account.address} local={local} />
    </>
  );
}
