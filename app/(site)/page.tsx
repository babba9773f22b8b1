import type { ReactNode } from "react";

const STEPS: { title: string; note: string; commands: string }[] = [
  {
    title: "Make a wallet and an account",
    note: "The keys stay on your machine. Only public halves and sealed copies leave it.",
    commands: `npx --no halcyon wallet new
npx --no halcyon signup --handle alice
npx --no halcyon kyc verify`,
  },
  {
    title: "Fund it, then set a budget",
    note: "The budget is all an API key can ever spend. Everything else needs your wallet.",
    commands: `npx --no halcyon faucet --amount 1000
npx --no halcyon allocate
npx --no halcyon keys create --label first`,
  },
  {
    title: "Pay with one request",
    note: "The answer, the events and the chain name both parties and never the amount.",
    commands: `curl http://localhost:3000/v1/transfers \\
  -H "Authorization: Bearer $HALCYON_API_KEY" \\
  -d '{"to": "@demo", "amount": "25"}'`,
  },
];

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

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-t py-12 sm:py-16">
      <h2 className="font-medium text-accent text-sm">{title}</h2>
      <div className="mt-6">{children}</div>
    </section>
  );
}

/** The landing page: what Halcyon is and the first commands. */
export default function Home() {
  return (
    <main className="mx-auto max-w-4xl px-5 sm:px-8">
      <header className="py-16 sm:py-28">
        <p className="font-semibold tracking-tight">Halcyon</p>
        <h1 className="mt-10 max-w-2xl text-balance font-semibold text-4xl leading-[1.08] tracking-tight sm:text-6xl">
          Payments that keep their amounts to themselves.
        </h1>
        <p className="mt-6 max-w-xl text-pretty text-lg text-muted leading-relaxed">
          An HTTP API for USDG and ETH. Amounts are encrypted on chain and opened only by those they concern: not by
          onlookers, and not by us.
        </p>
      </header>

      <Section title="What holds">
        <ul className="grid gap-8 sm:grid-cols-3">
          {PROMISES.map(({ title, text }) => (
            <li key={title}>
              <h3 className="font-medium">{title}</h3>
              <p className="mt-2 text-muted text-sm leading-relaxed">{text}</p>
            </li>
          ))}
        </ul>
        <p className="mt-8 max-w-2xl text-muted text-sm leading-relaxed">
          Confidential, not anonymous: who pays whom and when is public. And while a plain payment request with an API
          key is being served, the budget it spends from is open in our memory; clients that do not want that prepare
          their payments themselves.
        </p>
      </Section>

      <Section title="First payment, on this machine">
        <ol className="grid gap-10">
          {STEPS.map(({ title, note, commands }, index) => (
            <li key={title} className="grid gap-4 md:grid-cols-[15rem_minmax(0,1fr)] md:gap-8">
              <div>
                <h3 className="font-medium">
                  {index + 1}. {title}
                </h3>
                <p className="mt-2 text-muted text-sm leading-relaxed">{note}</p>
              </div>
              <pre className="overflow-x-auto rounded-lg border border-line bg-raised p-4 font-mono text-[13px] leading-6">
                <code>{commands}</code>
              </pre>
            </li>
          ))}
        </ol>
      </Section>

      <footer className="border-line border-t py-10 text-muted text-sm leading-relaxed">
        There is no dashboard yet; it comes later. Until then the command line does everything. README.md holds the
        tour, docs/ the protocol and the reference.
      </footer>
    </main>
  );
}
