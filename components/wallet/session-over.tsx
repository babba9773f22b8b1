"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { Address } from "viem";
import {
  isSessionOver,
  isSignInWanted,
  onSession,
  postponeSignIn,
  sessionIsBack,
  signInAgain,
} from "@/components/api/sign-in-again";
import { Button } from "@/components/ui/button";
import type { NetworkResource } from "@/lib/networks/describe-network";

/** With all wallet code: loaded when a session has ended. */
const SignInDialog = dynamic(() => import("./sign-in-dialog"), { ssr: false });

/** Asks the wallet to sign in again once the session has ended, over the page; until then a line says it. */
export function SessionOver({ network, address }: { network: NetworkResource; address: string }) {
  const over = useSyncExternalStore(onSession, isSessionOver, () => false);
  const wanted = useSyncExternalStore(onSession, isSignInWanted, () => false);
  const [used, setUsed] = useState(false);
  const router = useRouter();
  const queries = useQueryClient();
  if (wanted && !used) setUsed(true);
  const back = useEffectEvent(() => {
    router.refresh();
    void queries.invalidateQueries();
  });
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
          <Button size="small" tone="primary" onClick={() => signInAgain({ now: true })}>
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
          onLater={postponeSignIn}
        />
      )}
    </>
  );
}
