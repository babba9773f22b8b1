import type { Metadata } from "next";
import { SiteFooter } from "@/components/site/site-footer";
import { SiteHeader } from "@/components/site/site-header";
import { Badge } from "@/components/ui/badge";
import { CHAIN_ID } from "@/lib/base/network";
import { serviceStatus } from "@/lib/worker/health/service-status";

export const metadata: Metadata = { title: "Status" };

const WHAT: Record<string, string> = {
  database: "Database",
  worker: "Background work",
  ...Object.fromEntries(
    (["test", "live"] as const).flatMap((network) => [
      [`chain_${CHAIN_ID[network]}`, `Chain of the ${network} network`],
      [`contracts_${CHAIN_ID[network]}`, `Contracts of the ${network} network`],
      [`payments_${CHAIN_ID[network]}`, `Payments of the ${network} network match the chain`],
    ]),
  ),
};

const WORDS: Record<string, string> = { ok: "Working", unreachable: "Not reachable" };

/** The current state of each part of this installation. `/status` has the same for programs. */
export default async function StatusPage() {
  const { ok, parts } = await serviceStatus();
  return (
    <>
      <SiteHeader />
      <main className="mx-auto grid w-full max-w-2xl gap-8 px-4 py-10 sm:px-8 sm:py-16">
        <header>
          <h1 className="text-balance font-semibold text-3xl tracking-tight">
            {ok ? "Everything works" : "Something is not working"}
          </h1>
          <p className="mt-2 text-pretty text-muted">
            Checked when you opened this page. Your money is on the chain, and your wallet can reach it without this
            service.
          </p>
        </header>
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised text-sm">
          {Object.entries(parts).map(([name, { state }]) => (
            <li key={name} className="flex items-center justify-between gap-4 px-4 py-3">
              {WHAT[name] ?? name}
              <Badge tone={state === "ok" ? "success" : "danger"}>{WORDS[state] ?? state.replaceAll("_", " ")}</Badge>
            </li>
          ))}
        </ul>
        <p className="text-muted text-sm">
          Programs can read the same at{" "}
          <a href="/status" className="underline underline-offset-2 hover:text-accent">
            /status
          </a>
          .
        </p>
      </main>
      <SiteFooter />
    </>
  );
}
