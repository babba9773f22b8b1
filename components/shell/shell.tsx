import type { ReactNode } from "react";
import { LowBalance } from "@/components/money/low-balance/low-balance";
import { UnfinishedPayments } from "@/components/money/unfinished-payments";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { VaultStatusBar } from "@/components/vault/vault-status";
import type { Network } from "@/lib/base/network";
import { AccountMenu } from "./account-menu";
import { ConnectionBar } from "./connection-bar";
import { Logo } from "./logo";
import { MobileNavigation } from "./mobile-navigation";
import { NavLinks, SectionTabs } from "./nav-links";
import { NetworkSwitch } from "./network-switch";
import { Page } from "./page-transition";
import { PaymentKeyNotice } from "./payment-key-notice";
import { PendingTitle } from "./pending-title";

interface ShellProps {
  network: Network;
  /** Whether the network's chain runs on this machine. */
  local: boolean;
  /** Null before the account exists. */
  handle: string | null;
  address: string;
  /** Whether the account is enrolled. Until then the frame has no navigation. */
  enrolled: boolean;
  /** How many held payments wait now. */
  pending: number;
  /** When the account's payment key expires, in Unix seconds; null before enrollment. */
  paymentKeyUntil: string | null;
  /** Stores the form's `theme` for this browser. */
  setTheme: (form: FormData) => Promise<void>;
  /** Search and commands, in the top bar. */
  search: ReactNode;
  children: ReactNode;
}

/**
 * Marks the live network: money here is real, or represents real money on a local chain. Stays visible while scrolling.
 */
function LiveBanner({ local }: { local: boolean }) {
  return (
    <section
      aria-label="Live network"
      className="sticky top-0 z-30 flex h-8 items-center justify-center border-live/25 border-b bg-live-soft px-4"
    >
      <p className="truncate font-medium text-[13px] text-live">
        {local
          ? "Live network: stands for real money; here its chain is local."
          : "Live network: payments here move real money."}
      </p>
    </section>
  );
}

/** The frame of the dashboard: navigation on the left (behind a button on a phone), a top bar, and the page. */
export function Shell({
  network,
  local,
  handle,
  address,
  enrolled,
  pending,
  paymentKeyUntil,
  setTheme,
  search,
  children,
}: ShellProps) {
  const live = network === "live";
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-raised px-3 py-2 text-sm focus:translate-y-0 focus:shadow-overlay"
      >
        Skip to content
      </a>
      {enrolled && <PendingTitle initial={pending} />}
      {live && <LiveBanner local={local} />}
      <div className="flex w-full flex-1">
        {enrolled && (
          <aside
            className={classNames(
              "sticky hidden w-60 shrink-0 flex-col gap-6 overflow-y-auto border-line border-r px-3 py-4 lg:flex",
              live ? "top-8 h-[calc(100dvh-2rem)]" : "top-0 h-dvh",
            )}
          >
            <Link href={`/${network}`} className="px-2.5">
              <Logo />
            </Link>
            <NavLinks network={network} pending={pending} />
            <Link
              href="/docs"
              className="mt-auto rounded-md px-2.5 py-1.5 text-muted text-sm hover:bg-sunken/60 hover:text-ink"
            >
              Documentation
            </Link>
          </aside>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          <div className={classNames("sticky z-30", live ? "top-8" : "top-0")}>
            <header className="flex h-14 items-center gap-2 border-line border-b bg-paper/90 px-4 backdrop-blur sm:gap-3 sm:px-6 lg:px-8">
              {enrolled && <MobileNavigation network={network} pending={pending} />}
              <span className={enrolled ? "hidden sm:inline-flex lg:hidden" : "inline-flex"}>
                <Logo wordmark={!enrolled} />
              </span>
              {enrolled && search}
              <div className="ml-auto flex min-w-0 items-center gap-2 sm:gap-3">
                {enrolled && <VaultStatusBar />}
                <NetworkSwitch network={network} />
                <AccountMenu handle={handle} address={address} network={network} setTheme={setTheme} />
              </div>
            </header>
            <ConnectionBar />
          </div>
          <main
            id="content"
            className="mx-auto w-full max-w-5xl flex-1 min-[1700px]:max-w-7xl px-4 py-6 outline-none sm:px-6 sm:py-8 lg:px-8"
          >
            {enrolled && <UnfinishedPayments />}
            {enrolled && <LowBalance address={address} />}
            {paymentKeyUntil !== null && <PaymentKeyNotice until={paymentKeyUntil} />}
            {enrolled && <SectionTabs network={network} />}
            <Page>{children}</Page>
          </main>
        </div>
      </div>
    </div>
  );
}
