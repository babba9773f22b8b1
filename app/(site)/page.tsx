import type { ReactNode } from "react";
import { SiteHeader } from "@/components/site/site-header";
import { Link } from "@/components/ui/link";

const START = `npm start    # everything, on http://localhost:3000
npm test     # every test, a browser included`;

const PAY = `curl http://localhost:3000/v1/transfers \\
  -H "Authorization: Bearer $HALCYON_API_KEY" \\
  -d '{"to": "@demo", "amount": "25"}'`;

const PROMISES: { title: string; text: string }[] = [
  {
    title: "Amounts are ciphertext",
    text: "On chain there are commitments and encrypted copies. Deposits and public withdrawals are the exceptions.",
  },
  {
    title: "The service cannot open them",
    text: "It holds no key that decrypts. A stolen database with every server secret opens nothing and pays nobody.",
  },
  {
    title: "The chain enforces the rest",
    text: "Each payment carries a zero-knowledge proof of funds and a signature. The contract checks both.",
  },
];

function Commands({ title, note, children }: { title: string; note: string; children: string }) {
  return (
    <div className="min-w-0">
      <h3 className="font-medium">{title}</h3>
      <p className="mt-1 text-muted text-sm leading-relaxed">{note}</p>
      <pre className="mt-4 overflow-x-auto rounded-xl border border-line bg-raised p-4 font-mono text-[13px] leading-6">
        <code>{children}</code>
      </pre>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-t py-12 sm:py-16">
      <h2 className="font-semibold text-xl tracking-tight">{title}</h2>
      <div className="mt-6">{children}</div>
    </section>
  );
}

/** The product as it runs, in the visitor's theme. `npm run tour` takes the pictures. */
function Screenshot() {
  return (
    <picture>
      <source srcSet="/screens/balances-dark.png" media="(prefers-color-scheme: dark)" />
      <img
        src="/screens/balances-light.png"
        width={1440}
        height={904}
        alt="The dashboard's balances, unlocked: budget, notes waiting and credit of one account in USDG, opened in the browser."
        className="h-auto w-full rounded-xl border border-line shadow-overlay"
      />
    </picture>
  );
}

/** The landing page: what Halcyon is, how it looks, what holds, and the first commands. */
export default function Home() {
  return (
    <>
      <SiteHeader />
      <main className="mx-auto max-w-6xl px-5 sm:px-8">
        <div className="grid items-center gap-10 py-12 sm:py-16 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <div>
            <h1 className="text-balance font-semibold text-4xl leading-[1.08] tracking-tight sm:text-5xl">
              Payments that keep their amounts to themselves.
            </h1>
            <p className="mt-5 text-pretty text-lg text-muted leading-relaxed">
              An HTTP API and a dashboard for USDG and ETH, for people and their agents. Amounts are encrypted on chain
              and opened only by those they concern: not by onlookers, and not by us.
            </p>
            <div className="mt-7 flex flex-wrap gap-3">
              <Link
                href="/sign-in"
                className="flex min-h-11 items-center rounded-lg bg-accent px-5 font-medium text-accent-ink text-sm"
              >
                Sign in with a wallet
              </Link>
              <Link
                href="/docs"
                className="flex min-h-11 items-center rounded-lg border border-line bg-raised px-5 font-medium text-sm hover:border-line-strong"
              >
                Read the docs
              </Link>
            </div>
            <p className="mt-6 max-w-md text-muted text-sm leading-relaxed">
              Confidential, not anonymous: who pays whom and when is public.
            </p>
          </div>
          <Screenshot />
        </div>

        <Section title="What holds">
          <ul className="grid gap-8 sm:grid-cols-3">
            {PROMISES.map(({ title, text }) => (
              <li key={title}>
                <h3 className="font-medium">{title}</h3>
                <p className="mt-2 text-muted text-sm leading-relaxed">{text}</p>
              </li>
            ))}
          </ul>
          <p className="mt-8 max-w-3xl text-muted text-sm leading-relaxed">
            The limit of that trust: while a plain payment request with an API key is being served, the budget it spends
            from is open in our memory. The dashboard and clients that do not want that prepare their payments
            themselves; strict mode turns plain requests off.
          </p>
        </Section>

        <Section title="First payment, on this machine">
          <div className="grid gap-8 md:grid-cols-2">
            <Commands
              title="Two commands"
              note="Node 20.19 or newer is all you need. No Docker, no account anywhere, no configuration."
            >
              {START}
            </Commands>
            <Commands
              title="Pay with one request"
              note="Sign in with the test wallet: the first visit ends with this line and a key of your own."
            >
              {PAY}
            </Commands>
          </div>
        </Section>
      </main>
    </>
  );
}
