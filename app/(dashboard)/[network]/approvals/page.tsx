import { History } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { NotifyButton } from "@/components/api/notifications/notify-button";
import { Approvals } from "@/components/approvals/approvals";
import { DecidedList } from "@/components/approvals/decided-list";
import { DECIDED_PAGE_SIZE, DECISIONS, readAddress, WAITING } from "@/components/approvals/filters";
import { heldDetailsOf, waitingPage } from "@/components/approvals/held-payment";
import { hrefOf, type ListPageProps } from "@/components/lists/search-params";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LinkTabs } from "@/components/ui/link-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { toAccountResource } from "@/lib/accounts/account-resource";
import { toAgentResource } from "@/lib/agents/agent-resource";
import { listAgents } from "@/lib/agents/list-agents";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { countPending } from "@/lib/payments/approvals/count-pending";
import { getOwnHeld } from "@/lib/payments/approvals/get-own-held";
import { toDecidedList, toEncryptedHeld, toEncryptedPendingList } from "@/lib/payments/approvals/held-payment-resource";
import { listDecided } from "@/lib/payments/approvals/list-decided";
import { listPending } from "@/lib/payments/approvals/list-pending";
import { ListDecidedQuery } from "@/lib/payments/approvals/schema";

export const metadata: Metadata = { title: "Approvals" };

const NAMES = { approved: "Approved", rejected: "Rejected", expired: "Expired" };
const LINK = "font-medium text-ink underline underline-offset-2";

async function find(ctx: SessionContext, id: string) {
  try {
    return heldDetailsOf(toEncryptedHeld(await getOwnHeld(ctx, id)));
  } catch (error) {
    // Other owners' payments and unknown ids look the same.
    if (error instanceof ApiError && error.code === "transaction_not_found") notFound();
    throw error;
  }
}

/** Returns the queue's page that starts at the given offset, or the last page if the queue is shorter by now. */
async function listQueue(ctx: SessionContext, asked: number) {
  const total = await countPending(ctx);
  const last = Math.max(0, Math.ceil(total / DECIDED_PAGE_SIZE) - 1) * DECIDED_PAGE_SIZE;
  const page = await listPending(ctx, { limit: DECIDED_PAGE_SIZE, offset: Math.min(asked, last) });
  return { pending: waitingPage(toEncryptedPendingList(page)), total };
}

function NothingWaits({ network, hasAgents }: { network: string; hasAgents: boolean }) {
  return (
    <>
      When an agent wants to pay more than its approval threshold, the payment waits here for you.{" "}
      {hasAgents ? (
        <>
          Set the threshold in the policy of{" "}
          <Link href={`/${network}/agents`} className={LINK}>
            an agent
          </Link>
          .
        </>
      ) : (
        <>
          <Link href={`/${network}/agents/new`} className={LINK}>
            Create an agent
          </Link>{" "}
          to let a program pay within limits you set.
        </>
      )}
    </>
  );
}

/** What the account's agents ask to pay, and the decisions so far. */
export default async function ApprovalsPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const { status, offset, open, ...asked } = readAddress(await searchParams);
  const query = { status, limit: String(DECIDED_PAGE_SIZE), offset: String(offset) };
  const [{ pending, total }, decided, agents, opened] = await Promise.all([
    listQueue(ctx, asked.waiting),
    listDecided(ctx, ListDecidedQuery.parse(query)).then(toDecidedList),
    listAgents(ctx).then((list) => list.map(toAgentResource)),
    open === undefined ? undefined : find(ctx, open),
  ]);
  const { account_id, handle, public_key } = toAccountResource(ctx.account);
  // If the account's own keys have limits, they ask for approval as agents do.
  const payers = [...agents, { account_id, handle, public_key, status: "active" as const }];
  const path = `/${network}/approvals`;
  const waiting = pending.offset > 0 ? String(pending.offset) : undefined;
  const tabs = [undefined, ...DECISIONS].map((value) => ({
    name: value ? NAMES[value] : "All",
    href: hrefOf(path, { status: value, [WAITING]: waiting }),
    current: status === value,
  }));
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Payments that need your approval. Each waits until you decide, or until its time is up."
        action={<NotifyButton />}
      />
      <div className="grid gap-6">
        <Approvals
          initial={pending}
          initialTotal={total}
          decided={decided.transactions.map(heldDetailsOf)}
          agents={payers}
          renderedAt={Date.now()}
          sessionId={ctx.sessionId}
          opened={opened}
        >
          <NothingWaits network={network} hasAgents={agents.length > 0} />
        </Approvals>
        {(decided.transactions.length > 0 || status || offset > 0) && (
          <Card flush title="Decided">
            <div className="-mt-1 px-3 pb-2.5 sm:px-4">
              <LinkTabs label="Outcome" tabs={tabs} />
            </div>
            {decided.transactions.length === 0 ? (
              <div className="border-line border-t">
                <EmptyState icon={<History size={18} />} title={status ? `No ${status} payments` : "No older payments"}>
                  Payments you approve or reject stay here, with who decided and when. So do expired ones.
                </EmptyState>
              </div>
            ) : (
              <DecidedList
                path={path}
                query={query}
                waiting={waiting}
                initial={decided}
                agents={payers}
                sessionId={ctx.sessionId}
              />
            )}
          </Card>
        )}
      </div>
    </>
  );
}
