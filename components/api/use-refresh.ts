"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useTransition } from "react";
import type { Network } from "@/lib/base/network";
import { api } from "./api";
import { useNetwork } from "./network-context";
import { isNoResponse } from "./service-watch";
import { isPageHeld, isSessionOver, signInAfter } from "./sign-in-again";
import { isReached } from "./use-offline";

/**
 * Returns whether the page may refresh. A refresh after the session has ended would turn the page, with all that was
 * typed into it, into the sign-in. And while the service does not respond, the page keeps what it has.
 */
export async function mayRender(network: Network): Promise<boolean> {
  if (isSessionOver()) return false;
  const held = isPageHeld();
  if (held && !(await isReached())) return false;
  try {
    await api(network).get("/api/sessions");
    return true;
  } catch (error) {
    return !signInAfter(error) && !isNoResponse(error) && !held;
  }
}

/** Returns a function that has the server render the page again, if it may. */
export function useRefresh(): () => void {
  const router = useRouter();
  const network = useNetwork();
  return useCallback(() => {
    void mayRender(network).then((may) => may && router.refresh());
  }, [router, network]);
}

/**
 * Has the server render the page again and again, if it may, one render after the other: on a slow line a page that is
 * requested again before it has arrived would never be shown.
 *
 * @param pauseMs milliseconds before each; null while there is nothing to wait for
 */
export function useRefreshEvery(pauseMs: number | null): void {
  const router = useRouter();
  const network = useNetwork();
  const [refreshing, startRefresh] = useTransition();
  useEffect(() => {
    if (pauseMs === null || refreshing) return;
    let ended = false;
    let asking = false;
    const timer = setInterval(() => {
      if (asking) return;
      asking = true;
      void mayRender(network).then((may) => {
        asking = false;
        if (may && !ended) startRefresh(() => router.refresh());
      });
    }, pauseMs);
    return () => {
      ended = true;
      clearInterval(timer);
    };
  }, [pauseMs, refreshing, router, network]);
}
