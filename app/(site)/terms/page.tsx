import type { Metadata } from "next";
import type { ReactNode } from "react";
import { SiteFooter } from "@/components/site/site-footer";
import { SiteHeader } from "@/components/site/site-header";

export const metadata: Metadata = { title: "Terms" };

const LINK = "underline underline-offset-2 hover:text-accent";

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="font-medium">{title}</h2>
      <p className="mt-1.5 text-pretty text-muted leading-relaxed">{children}</p>
    </section>
  );
}

/**
 * The terms for everyone who uses this software, regardless of who runs it. They promise nothing on an operator's
 * behalf.
 */
export default function TermsPage() {
  return (
    <>
      <SiteHeader />
      <main className="mx-auto grid w-full max-w-2xl gap-8 px-4 py-10 sm:px-8 sm:py-16">
        <header>
          <h1 className="text-balance font-semibold text-3xl tracking-tight">Terms</h1>
          <p className="mt-2 text-pretty text-muted">These terms apply wherever Halcyon runs.</p>
        </header>
        <Part title="Who you deal with">
          The operator of this installation provides its service, and may have terms of their own. Halcyon is the
          software that they run.
        </Part>
        <Part title="The software">
          Halcyon is licensed under the Apache License 2.0: without warranty of any kind, and without liability of its
          authors. It contains third-party software, under{" "}
          <a href="/third-party-notices.txt" className={LINK}>
            their licenses
          </a>
          .
        </Part>
        <Part title="Your money">
          No one holds it for you. Payments are final: neither the operator nor the authors can take one back, freeze
          your account's money or recover a lost wallet. Keep a{" "}
          <a href="/docs/recovery" className={LINK}>
            backup
          </a>
          .
        </Part>
        <Part title="Your data">
          Amounts and memos are encrypted. Addresses, assets and times of payments, deposits and withdrawals are public
          on the chain and can't be deleted.{" "}
          <a href="/docs/confidentiality" className={LINK}>
            What is hidden, and from whom
          </a>
          .
        </Part>
        <Part title="The test network">Its money is play money, and it may be reset at any time.</Part>
      </main>
      <SiteFooter />
    </>
  );
}
