"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import type { Address } from "viem";
import {
  hasSessionExpired,
  isSessionOver,
  isSignInWanted,
  onSession,
  postponeSignIn,
  sessionIsBack,
  signInAgain,
} from "@/components/api/sign-in-again";
import { Button } from "@/components/ui/button";
import { holdPage } from "@/components/ui/leaving";
import { onDemand } from "@/components/ui/on-demand";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";

/** Contains all wallet code. Loaded when a session has ended. */
const SignInDialog = onDemand(() => import("./sign-in-dialog").then((module) => module.default));

/** Asks the wallet to sign in again over the page once the session has ended. If that is postponed, a line says so. */
export function SessionOver({ network, address }: { network: NetworkResource; address: string }) {
  const over = useSyncExternalStore(onSession, isSessionOver, () => false);
  const wanted = useSyncExternalStore(onSession, isSignInWanted, () => false);
  const [used, setUsed] = useState(false);
  const router = useRouter();
  const queries = useQueryClient();
  if (wanted && !used) setUsed(true);
  /** Where the person was going when the session turned out to have ended. */
  const going = useRef<() => void>(null);
  const back = useEffectEvent(() => {
    if (going.current) going.current();
    else router.refresh();
    going.current = null;
    void queries.invalidateQueries();
  });
  const later = () => {
    going.current = null;
    postponeSignIn();
  };
  useEffect(() => {
    // A session that timed out has lost nothing so far. Leaving would open the sign-in page and lose this page's keys.
    if (!over || !hasSessionExpired()) return;
    const ask = (go: () => void) => {
      going.current = go;
      signInAgain();
    };
    return holdPage(ask, (href) => router.push(href), { unload: false });
  }, [over, router]);
  useEffect(() => {
    let before = isSessionOver();
    return onSession((now) => {
      // Signed in again, here or in another tab.
      if (before && !now) back();
      before = now;
    });
  }, []);
  return (
    <>
      {over && !wanted && (
        <div
          role="status"
          className="fixed inset-x-4 bottom-4 z-40 mx-auto flex max-w-md items-center justify-between gap-4 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-overlay"
        >
          <p>You have been signed out.</p>
          <Button size="small" tone="primary" onClick={() => signInAgain()}>
            Sign in
          </Button>
        </div>
      )}
      {used && (
        <SignInDialog
          key={network.network}
          network={network}
          address={address as Address}
          open={wanted}
          onDone={sessionIsBack}
          onClose={later}
        />
      )}
    </>
  );
}
