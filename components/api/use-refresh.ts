"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import type { Network } from "@/lib/network";
import { api } from "./api";
import { useNetwork } from "./network-context";
import { isPageHeld, isSessionOver, signInAfter } from "./sign-in-again";
import { isReached } from "./use-offline";

/**
 * Whether the page may be rendered again. Under a dialog about money it may not if the server does not respond,
 * nor once the session has ended: the page would become the sign-in before anyone has read what is known.
 */
export async function mayRender(network: Network): Promise<boolean> {
  if (isSessionOver()) return false;
  if (!isPageHeld()) return true;
  if (!(await isReached())) return false;
  try {
    await api(network).get("/api/sessions");
    return true;
  } catch (error) {
    signInAfter(error);
    return false;
  }
}

/** Has the server render the page again, where it may be. */
export function useRefresh(): () => void {
  const router = useRouter();
  const network = useNetwork();
  return useCallback(() => {
    void mayRender(network).then((may) => may && router.refresh());
  }, [router, network]);
}
