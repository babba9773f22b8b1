import type { ReactNode } from "react";
import { shortened } from "@/components/ui/address";
import { Amount } from "@/components/ui/amount";
import { FullAddress } from "@/components/ui/full-address";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { FoundRecipient } from "@/sdk/payments/recipient";
import { Countdown } from "./countdown";
import { type HeldDetails, isOwnersPayment } from "./held-payment";
import { boundsOf } from "./threshold";
import type { Checks } from "./use-checks";
import type { HeldContent } from "./use-held";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-4 py-2.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function knownAs({ own, pin }: FoundRecipient): string {
  if (own === "account") return "Your own account.";
  if (own === "agent") return "Your own agent.";
  if (pin === "same") return "Same address as at your first payment.";
  if (pin === "first") return "Not paid from this device before.";
  return "The address your agent asked for.";
}

/** The recipient: the name as the agent wrote it, and the address it stood for then. */
function Recipient({ held, opened, checks }: { held: HeldDetails; opened: HeldContent; checks: Checks }) {
  const { encrypted, content } = opened;
  const named = held.to.startsWith("@");
  const { data } = checks.recipient;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        {named && <span className="wrap-anywhere font-medium">{held.to}</span>}
        {encrypted && named && <span className="text-faint">address encrypted</span>}
        {encrypted && !named && <span className="font-mono text-[13px]">{shortened(held.to)}</span>}
        {!encrypted && !content && <Skeleton className="h-5 w-36" />}
        {content?.recipient && <FullAddress value={content.recipient} className={named ? "text-muted" : undefined} />}
      </span>
      {!encrypted && held.status === "pending_approval" && !checks.refusal && (
        <span className="block min-h-4 text-muted text-xs">{data ? knownAs(data) : "Looking the recipient up…"}</span>
      )}
    </>
  );
}

function Memo({ encrypted, content }: HeldContent) {
  if (encrypted) return <span className="text-faint">Encrypted</span>;
  if (!content) return <Skeleton className="h-5 w-40" />;
  if (content.memo === null) return <span className="text-faint">None</span>;
  return (
    <span dir="auto" className="wrap-anywhere block whitespace-pre-wrap text-left">
      {content.memo}
    </span>
  );
}

/** What the agent has spent today out of its limit, and its available balance. */
function Today({ checks, asset, encrypted }: { checks: Checks; asset: string; encrypted: boolean }) {
  const { policy, spending } = checks;
  if (encrypted) return <span className="text-faint">Encrypted</span>;
  if (!policy || !spending) {
    return (
      <>
        <Skeleton className="h-5 w-40" />
        <Skeleton className="mt-0.5 h-3.5 w-28" />
      </>
    );
  }
  return (
    <>
      <Amount value={spending.spent} asset={asset} /> of <Amount value={boundsOf(policy, asset).daily} asset={asset} />{" "}
      used
      <span className="block text-muted text-xs">
        Available balance: <Amount value={spending.available} asset={asset} />
      </span>
    </>
  );
}

/** The facts of a held payment, besides its amount. */
export function ReviewFacts({
  held,
  opened,
  checks,
  now,
}: {
  held: HeldDetails;
  opened: HeldContent;
  checks: Checks;
  now: number;
}) {
  const waiting = held.status === "pending_approval";
  return (
    <dl className="divide-y divide-line text-sm">
      <Fact name={isOwnersPayment(held) ? "Account" : "Agent"}>
        <span className="wrap-anywhere font-medium">{held.agent}</span>
      </Fact>
      <Fact name="To">
        <Recipient held={held} opened={opened} checks={checks} />
      </Fact>
      <Fact name="Memo">
        <Memo {...opened} />
      </Fact>
      {!held.confidential && <Fact name="On chain">Public: anyone can see this amount and the recipient.</Fact>}
      {waiting && (
        <Fact name="Today">
          <Today checks={checks} asset={held.asset} encrypted={opened.encrypted} />
        </Fact>
      )}
      <Fact name="Asked">
        <span className="flex flex-wrap justify-between gap-x-4">
          <Time value={held.requested_at} />
          {waiting && <Countdown until={held.expires_at} now={now} />}
        </span>
      </Fact>
    </dl>
  );
}
