import type { ReactNode } from "react";
import { DifferenceTable } from "@/components/site/difference-table";
import { AgentScene, ApprovalScene, HeroScene, PayoutScene, Scene, WebhookScene } from "@/components/site/scenes";
import { SiteFooter } from "@/components/site/site-footer";
import { SiteHeader } from "@/components/site/site-header";
import { SCROLL_REGION } from "@/components/ui/scroll-region";
import { env } from "@/lib/base/env";
import { samplePayload } from "@/lib/events/webhooks/sample-payload";

const START = `npm start    # the whole product, on http://localhost:3000
npm test     # every test, including a browser`;

const PAY = `curl http://localhost:3000/v1/transfers \\
  -H "Authorization: Bearer $HALCYON_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: lunch-1" \\
  -d '{"to": "@demo", "amount": "25"}'`;

const PROMISES: { title: string; text: string }[] = [
  {
    title: "Amounts are encrypted on chain",
    text: "The chain stores commitments and ciphertexts. Deposits and withdrawals are the exceptions.",
  },
  {
    title: "At rest, no key to decrypt them",
    text: "At rest, Halcyon holds no key that can decrypt an amount or move money. A stolen database with every server secret decrypts nothing and pays no one.",
  },
  {
    title: "The chain enforces the rest",
    text: "A contract that no one can upgrade or pause checks a zero-knowledge proof and a signature on every payment.",
  },
];

function Commands({ title, note, children }: { title: string; note: string; children: string }) {
  return (
    <div className="min-w-0">
      <h3 className="font-medium">{title}</h3>
      <p className="mt-1 text-muted text-sm leading-relaxed">{note}</p>
      <pre
        tabIndex={SCROLL_REGION}
        className="mt-4 overflow-x-auto rounded-xl border border-line bg-raised p-4 font-mono text-[13px] leading-6"
      >
        <code>{children}</code>
      </pre>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-t py-12 sm:py-16">
      <h2 className="font-semibold text-2xl tracking-tight sm:text-3xl">{title}</h2>
      <div className="mt-6">{children}</div>
    </section>
  );
}

/** The payload that a webhook test delivers. */
const DELIVERED = samplePayload("transfer.confirmed", "evt_01JNZ3V2M8X4", "ada", new Date("2026-03-02T09:14:07Z"));

/** The landing page: what Halcyon is, how it looks, its guarantees, and the first commands. */
export default function Home() {
  const sample = env().sampleReceipt;
  return (
    <>
      <SiteHeader />
      <main className="mx-auto max-w-6xl px-4 sm:px-8">
        <div className="grid items-center gap-10 py-12 sm:py-16 lg:grid-cols-[minmax(0,4fr)_minmax(0,6fr)] lg:gap-12">
          <div>
            <h1 className="text-balance font-semibold text-4xl leading-[1.08] tracking-tight sm:text-5xl">
              Payments that keep their amounts to themselves.
            </h1>
            <p className="mt-5 text-pretty text-lg text-muted leading-relaxed">
              For developers and businesses that pay people, companies and software, and for their agents: an HTTP API
              and a dashboard for USDG and ETH. Amounts are stored encrypted on chain. Only the payer and the recipient
              can read them.
            </p>
            <div className="mt-7 flex flex-wrap gap-3">
              <a
                href="/sign-in"
                className="flex min-h-11 items-center rounded-lg bg-accent px-5 font-medium text-accent-ink text-sm"
              >
                Sign in with a wallet
              </a>
              <a
                href="/docs"
                className="flex min-h-11 items-center rounded-lg border border-line bg-raised px-5 font-medium text-sm hover:border-line-strong"
              >
                Read the docs
              </a>
              <a
                href={sample ? `/receipt#${sample}` : "/receipt"}
                className="flex min-h-11 items-center rounded-lg border border-line bg-raised px-5 font-medium text-sm hover:border-line-strong"
              >
                {sample ? "Check a real receipt" : "Check a receipt"}
              </a>
            </div>
            <p className="mt-6 max-w-md text-muted text-sm leading-relaxed">
              Confidential, not anonymous: who pays whom and when is public. Anyone checks a receipt against the chain,
              without an account.
            </p>
          </div>
          <HeroScene />
        </div>

        <Section title="What it does">
          <ul className="-my-8 divide-y divide-line md:-my-12">
            <Scene
              title="Agents that pay within a sentence"
              text="Give a program its own balance and a policy that reads as one sentence. The marks say who enforces each rule: what the chain enforces holds even if someone takes over our servers."
              href="/docs/agents"
              more="Agents and policies"
            >
              <AgentScene />
            </Scene>
            <Scene
              title="Your approval above a threshold"
              text="Larger payments wait for you. You see the amount, decrypted only in your browser, and the rule that requires your approval. Approve several at once, on a phone too."
              href="/docs/approvals"
              more="Approvals"
            >
              <ApprovalScene />
            </Scene>
            <Scene
              title="Pay a whole file"
              text="Up to 5,000 people from one CSV file: checked before anything moves, continued after any failure, and no one is paid twice. No one learns what a colleague earns."
              href="/docs/payouts"
              more="Payouts"
            >
              <PayoutScene />
            </Scene>
            <Scene
              title="Events for your programs"
              text="Signed webhooks reach your servers when a payment is final. They carry ids and never an amount."
              href="/docs/webhooks"
              more="Webhooks"
            >
              <WebhookScene payload={DELIVERED} />
            </Scene>
          </ul>
        </Section>

        <Section title="What is different">
          <DifferenceTable />
        </Section>

        <Section title="Guarantees">
          <ul className="grid gap-8 sm:grid-cols-3">
            {PROMISES.map(({ title, text }) => (
              <li key={title}>
                <h3 className="font-medium">{title}</h3>
                <p className="mt-2 text-muted text-sm leading-relaxed">{text}</p>
              </li>
            ))}
          </ul>
          <p className="mt-8 max-w-3xl text-muted text-sm leading-relaxed">
            The exception: while Halcyon serves a payment that you send with a plain API key, your available balance is
            decrypted in the server's memory. Client-signed payments, which the dashboard always uses, avoid that, and
            you can require them for your whole account.
          </p>
        </Section>

        <Section title="First payment, on this machine">
          <div className="grid gap-8 md:grid-cols-2">
            <Commands
              title="Two commands"
              note="You need only Node 20.19 or newer. No Docker, no accounts, no configuration."
            >
              {START}
            </Commands>
            <Commands
              title="Pay with one request"
              note="Sign in with the test wallet. After your first payment, the page offers this command with your own key."
            >
              {PAY}
            </Commands>
          </div>
        </Section>
      </main>
      <SiteFooter />
    </>
  );
}
