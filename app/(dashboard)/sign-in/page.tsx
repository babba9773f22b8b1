import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { hasTimedOut, networkOfPath, wallet } from "@/app/(dashboard)/owner";
import { Logo } from "@/components/shell/logo";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { SignInIsland } from "@/components/wallet/sign-in-island";
import { describeNetwork, toNetworkResource } from "@/lib/accounts/networks/describe-network";
import { CHAIN_ID } from "@/lib/base/network";
import { networkOfNext, nextPath } from "@/lib/base/next-path";
import { sessionCookieName } from "@/lib/http/auth/session-cookie";

export const metadata: Metadata = { title: "Sign in" };

const STEPS = [
  ["Choose a wallet", "Its address is your account. There is no password."],
  ["Sign a short text", "It proves that the address is yours. It costs nothing and moves nothing."],
  ["Continue where you were", "New here? You choose a handle next, and make your first payment in about two minutes."],
] as const;

/** Explains and performs the sign-in with a wallet. */
export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = nextPath((await searchParams).next);
  const network = networkOfPath(networkOfNext(next));
  if (await wallet(network)) redirect(next);
  // A browser that signed out has no cookie left.
  const ended = (await cookies()).has(sessionCookieName());
  const timedOut = await hasTimedOut(network);
  const description = toNetworkResource(await describeNetwork(CHAIN_ID[network]));
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-4xl content-center gap-10 px-4 py-10 sm:px-8 md:grid-cols-2 md:gap-16">
      <div className="grid content-center gap-6">
        <Link href="/" className="w-fit">
          <Logo />
        </Link>
        <div className="grid gap-2">
          <h1 className="text-balance font-semibold text-2xl tracking-tight">Sign in with your wallet</h1>
          <p className="text-pretty text-muted">
            Amounts stay encrypted until you unlock them in this browser. Signing in decrypts none of them.
          </p>
        </div>
        <ol className="hidden gap-4 text-sm md:grid">
          {STEPS.map(([title, text], index) => (
            <li key={title} className="flex gap-3">
              <span className="grid size-6 shrink-0 place-items-center rounded-full bg-sunken font-medium text-muted text-xs tabular-nums">
                {index + 1}
              </span>
              <span className="grid gap-0.5">
                <span className="font-medium">{title}</span>
                <span className="text-pretty text-muted">{text}</span>
              </span>
            </li>
          ))}
        </ol>
      </div>
      <section
        aria-label="Wallets"
        className="self-center rounded-2xl border border-line bg-raised p-5 shadow-raised sm:p-6"
      >
        <noscript>
          <p className="text-pretty text-sm">
            Signing with a wallet needs JavaScript. Turn it on to sign in; the <a href="/docs">documentation</a> can be
            read without.
          </p>
        </noscript>
        {ended && (
          <div className="mb-4">
            <Callout title="Your session has ended.">
              {timedOut ? "It timed out." : "It timed out, or was ended here or in another browser."} Sign in again to
              continue where you were.
            </Callout>
          </div>
        )}
        <SignInIsland network={description} next={next} />
      </section>
    </main>
  );
}
