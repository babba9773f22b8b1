"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { Live } from "@/components/api/live";
import { QueryProvider } from "@/components/api/query-provider";
import { ToastProvider } from "@/components/ui/toast";
import { VaultProvider } from "@/components/vault/vault-provider";
import type { NetworkResource } from "@/lib/networks/describe-network";
import { NetworkProvider } from "./network-context";
import { PageTransition } from "./page-transition";

/** What the pages of a network share in the browser. */
export function Providers({
  network,
  address,
  live,
  children,
}: {
  network: NetworkResource;
  /** The signed-in wallet, lower case. */
  address: string;
  /** There is an account whose changes can be followed. */
  live: boolean;
  children: ReactNode;
}) {
  return (
    <CSPProvider disableStyleElements>
      <NetworkProvider network={network.network}>
        <QueryProvider>
          <ToastProvider>
            <VaultProvider network={network} address={address}>
              <PageTransition>
                {live && <Live />}
                {children}
              </PageTransition>
            </VaultProvider>
          </ToastProvider>
        </QueryProvider>
      </NetworkProvider>
    </CSPProvider>
  );
}
