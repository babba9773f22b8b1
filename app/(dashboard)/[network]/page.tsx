import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { SpentToday } from "@/components/agents/spent-today";
import { isEmpty, toAssetFacts } from "@/components/money/asset-facts";
import { Dialogs } from "@/components/money/dialogs";
import { DoLink } from "@/components/money/do-link";
import { NoMoneyYet } from "@/components/money/no-money-yet";
import { PendingOperations } from "@/components/money/pending-operations";
import { Upcoming } from "@/components/payments/schedules/upcoming";
import { TransferTable } from "@/components/payments/transfers/transfer-table";
import { EndpointHealth } from "@/components/shell/overview/endpoint-health";
import { ExpiringKeys } from "@/components/shell/overview/expiring-keys";
import { HoldingsTiles } from "@/components/shell/overview/holdings-tiles";
import { Notices } from "@/components/shell/overview/notices";
import { SpendCard } from "@/components/shell/overview/spend-card";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listExpiringKeys } from "@/lib/accounts/keys/list-expiring-keys";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { listAgents } from "@/lib/agents/list-agents";
import { listPolicies } from "@/lib/agents/list-policies";
import { readLedger } from "@/lib/balances/read-ledger";
import { isoTime } from "@/lib/base/clock";
import { listPendingOperations } from "@/lib/chain/operations/list-pending-operations";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { listHealth, toHealthResource } from "@/lib/events/webhooks/list-health";
import { listWebhooks } from "@/lib/events/webhooks/list-webhooks";
import { toWebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { listTransfers } from "@/lib/payments/list-transfers";
import { listSchedules } from "@/lib/payments/schedules/list-schedules";
import { toScheduleList } from "@/lib/payments/schedules/schedule-resource";
import { ListSchedulesQuery } from "@/lib/payments/schedules/schema";
import { toEncryptedList } from "@/lib/payments/transfer-resource";
import { toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { withCopies } from "@/sdk/payments/transfers/with-copies";
import { readNotices } from "./read-notices";

export const metadata: Metadata = { title: "Overview" };

const RECENT = 5;
/** Active schedules among which the next payments are looked for. */
const SCHEDULES = "100";
/** Keys that expire within this time are listed, in milliseconds. */
const EXPIRES_MS = 30 * 86_400_000;

/** The home page of a network: what needs the owner, recent payments, and the state of everything else. */
export default async function OverviewPage({ params }: { params: Promise<{ network: string }> }) {
  const ctx = await owner((await params).network);
  const base = `/${ctx.network}`;
  const [{ assets, local }, agents, policies, pending, recent, keys, rows, health, schedules] = await Promise.all([
    describeNetwork(ctx.chainId),
    listAgents(ctx),
    listPolicies(ctx),
    listPendingOperations(ctx),
    listTransfers(ctx, { limit: RECENT, offset: 0 }),
    listExpiringKeys(ctx, new Date(Date.now() + EXPIRES_MS)),
    listWebhooks(ctx),
    listHealth(ctx),
    listSchedules(ctx, ListSchedulesQuery.parse({ status: "active", limit: SCHEDULES })),
  ]);
  const active = agents.flatMap(({ id, handle, status }) => {
    const policy = policies.get(id)?.policy;
    if (status !== "active" || !policy) return [];
    return [{ account_id: id, handle: `@${handle}`, policy: toSpendPolicyResource(policy) }];
  });
  const webhooks = rows.map((row) => {
    const found = health.find(({ webhookId }) => webhookId === row.id);
    return { webhook: toWebhookResource(row), health: found && toHealthResource(found) };
  });
  const [{ waiting, failed }, facts] = await Promise.all([
    readNotices(ctx, webhooks),
    Promise.all(assets.map(async (asset) => toAssetFacts(await readLedger(ctx, { asset: asset.symbol }), asset))),
  ]);
  const nothing = facts.every(isEmpty) && agents.length === 0;
  const { transfers } = toEncryptedList(recent);
  return (
    <>
      <PageHeader
        title="Overview"
        description={
          waiting.length + failed.length === 0
            ? "Nothing waits for you, and nothing has failed this week."
            : "What needs your attention comes first."
        }
        action={
          !nothing && (
            <>
              <DoLink act="add-funds" className={buttonClass()}>
                Add funds
              </DoLink>
              <DoLink act="send" className={buttonClass("primary")}>
                Send
              </DoLink>
            </>
          )
        }
      />
      <div className="grid grid-cols-1 gap-4">
        <PendingOperations
          operations={pending.map((operation) => ({
            ...toOperationResource(operation),
            created_at: isoTime(operation.createdAt),
            agent: operation.agent && `@${operation.agent}`,
          }))}
        />
        {waiting.length + failed.length > 0 && (
          <div className="grid grid-cols-1 gap-4 lg:grid-flow-col lg:auto-cols-fr">
            <Notices title="Waiting for you" notices={waiting} />
            <Notices title="Failed" notices={failed} />
          </div>
        )}
        {nothing ? (
          <NoMoneyYet local={local} />
        ) : (
          <HoldingsTiles path={`${base}/balances`} assets={facts} agents={agents.map(({ handle }) => `@${handle}`)} />
        )}
        <div className="grid grid-cols-1 items-start gap-4 empty:hidden lg:grid-flow-col lg:auto-cols-fr">
          <SpentToday path={`${base}/agents`} agents={active} />
          <Upcoming path={`${base}/schedules`} schedules={toScheduleList(schedules).schedules} />
        </div>
        {transfers.length > 0 && (
          <Card
            flush
            title="Recent payments"
            action={
              <Link href={`${base}/transfers`} className="text-accent text-sm underline-offset-4 hover:underline">
                All transfers
              </Link>
            }
          >
            <TransferTable path={`${base}/transfers`} days={[{ transfers: transfers.map(withCopies) }]} />
          </Card>
        )}
        {transfers.length > 0 && <SpendCard />}
        <div className="grid grid-cols-1 gap-4 empty:hidden lg:grid-flow-col lg:auto-cols-fr">
          <EndpointHealth path={`${base}/developers/webhooks`} webhooks={webhooks} />
          <ExpiringKeys path={`${base}/developers/keys`} keys={keys} />
        </div>
      </div>
      <Dialogs assets={facts} address={ctx.account.address} local={local} />
    </>
  );
}
