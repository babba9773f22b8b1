import { ArrowRight, Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { WhyHeld } from "@/components/approvals/why-held";
import { payoutColumns } from "@/components/payments/payouts/payout-columns";
import { PolicyFacts } from "@/components/policy/policy-facts";
import { PolicySentence } from "@/components/policy/policy-sentence";
import { shortName } from "@/components/ui/agent-name";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Table } from "@/components/ui/table";
import { DeliveryStatus } from "@/components/webhooks/delivery-status";
import { DENY_ALL, type PolicyFields, toSpendPolicyResource } from "@/lib/policy/spend-policy";

/*
 * Pictures of the product, drawn by its own components with example data. They are legible on a phone and never
 * outdated.
 */

const AGENT = "@ada/buyer";
const SHOP = "@papershop";

const POLICY: PolicyFields = {
  ...toSpendPolicyResource(DENY_ALL),
  daily_limit_usdg: 200,
  per_transaction_limit_usdg: 80,
  hitl_threshold_usdg: 40,
  allowed_recipients: [SHOP, "@courier"],
};

const HELD = { agent: AGENT, asset: "USDG" as const };

/** One payment seen by two readers, with and without the key. */
export function HeroScene() {
  const rows = [
    { who: "Everyone, on the chain", encrypted: true },
    { who: "You and @lin, decrypted in the browser", encrypted: false },
  ];
  return (
    <Card title="One payment, two readers">
      <ul className="-my-1 divide-y divide-line">
        {rows.map(({ who, encrypted }) => (
          <li key={who} className="grid gap-1.5 py-4">
            <span className="text-muted text-xs">{who}</span>
            <span className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <span className="flex items-center gap-2 font-medium">
                @ada
                <ArrowRight size={14} aria-hidden="true" className="text-faint" />
                <span className="sr-only">pays</span>
                @lin
              </span>
              <span className="font-semibold text-2xl tracking-tight">
                <Amount value={encrypted ? undefined : "2450"} asset="USDG" encrypted={encrypted} />
              </span>
            </span>
            <span className="text-muted text-sm">{encrypted ? "Memo: encrypted" : "Memo: March, with thanks"}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** An agent's policy, as its page shows it. */
export function AgentScene() {
  return (
    <Card title={`Policy of ${AGENT}`} description="What the agent may spend without asking you.">
      <div className="grid gap-3">
        <PolicySentence policy={POLICY} />
        <PolicyFacts policy={POLICY} />
      </div>
    </Card>
  );
}

/** A payment that awaits its owner's approval, as the dialog shows it. */
export function ApprovalScene() {
  const amount = "64.5";
  return (
    <Card title={`${shortName(AGENT)} asks to pay ${SHOP}`}>
      <div className="grid gap-4">
        <p className="font-semibold text-3xl tracking-tight">
          <Amount value={amount} asset="USDG" />
        </p>
        <p className="text-muted text-sm">Memo: 40 reams of paper, and toner</p>
        <WhyHeld
          held={HELD}
          opened={{ encrypted: false, content: { amount, memo: null, recipient: null }, error: null }}
          checks={{ policy: POLICY, spending: undefined }}
        />
        <p aria-hidden="true" className="flex justify-end gap-2">
          <span className={buttonClass()}>Reject</span>
          <span className={buttonClass("primary")}>Approve</span>
        </p>
      </div>
    </Card>
  );
}

const PAYOUT = [
  { row: 1, to: "@lin", reference: "march-lin", amount: "2450", status: "paid" },
  { row: 2, to: "@marcus", reference: "march-marcus", amount: "1980.75", status: "paid" },
  { row: 3, to: "@noor.design", reference: "invoice-31", amount: "3200", status: "sent" },
  { row: 4, to: "@tomas", reference: "march-tomas", amount: "1150", status: "pending" },
].map((row) => ({ ...row, batch: 0, asset: "USDG", memo: null, transferId: null, error: null }));

/** On a tablet the picture is half as wide as the page. */
const COLUMNS = payoutColumns(() => null, "USDG").map((column) => ({ ...column, wide: column.name === "Reference" }));

/** A payout from one file, while it is being paid, as its page shows it. */
export function PayoutScene() {
  const paid = PAYOUT.filter(({ status }) => status === "paid").length;
  return (
    <Card flush title={`${PAYOUT.length} payments`} description={`${paid} of ${PAYOUT.length} paid`}>
      <Table label="Rows of the payout" columns={COLUMNS} rows={PAYOUT} rowKey={({ row }) => String(row)} />
    </Card>
  );
}

/**
 * A webhook delivery and its payload.
 *
 * @param payload the payload that a test of the webhook delivers
 */
export function WebhookScene({ payload }: { payload: object }) {
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          transfer.confirmed <DeliveryStatus status="succeeded" /> <Badge tone="accent">Test</Badge>
        </span>
      }
      description="https://shop.example/hooks"
    >
      <pre className="wrap-anywhere whitespace-pre-wrap rounded-lg bg-sunken p-3 font-mono text-[13px] leading-5">
        <code>{JSON.stringify(payload, null, 2)}</code>
      </pre>
      <p className="mt-3 flex items-center gap-2 text-muted text-sm">
        <Link2 size={14} aria-hidden="true" />
        Signed, retried for a day, and without the amount.
      </p>
    </Card>
  );
}

/** A picture of the product beside a text. On a phone the text comes first. */
export function Scene({
  title,
  text,
  href,
  more,
  children,
}: {
  title: string;
  text: string;
  href: string;
  more: string;
  children: ReactNode;
}) {
  return (
    <li className="grid items-start gap-6 py-8 md:py-12 lg:grid-cols-[minmax(0,4fr)_minmax(0,6fr)] lg:gap-12">
      <div>
        <h3 className="text-balance font-semibold text-lg tracking-tight">{title}</h3>
        <p className="mt-2 text-pretty text-muted leading-relaxed">{text}</p>
        <a href={href} className="mt-3 inline-flex min-h-11 items-center gap-1.5 font-medium text-sm hover:text-accent">
          {more}
          <ArrowRight size={14} aria-hidden="true" />
        </a>
      </div>
      <div className="min-w-0">{children}</div>
    </li>
  );
}
