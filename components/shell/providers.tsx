"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { describeError } from "@/components/api/describe-error";
import { QueryProvider } from "@/components/api/query-provider";
import { PaymentsProvider } from "@/components/money/payments-provider";
import { ErrorWordsProvider } from "@/components/ui/error-words";
import { ToastProvider } from "@/components/ui/toast";
import { VaultProvider } from "@/components/vault/vault-provider";
import { SessionOver } from "@/components/wallet/session-over";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import { NetworkProvider } from "../api/network-context";
import { useKeptTimes } from "./kept-times";
import { Live } from "./live";
import { PageTransition } from "./page-transition";

/** Provides what the pages of a network share in the browser. */
export function Providers({
  network,
  address,
  since,
  vaultWorker,
  children,
}: {
  network: NetworkResource;
  /** The address of the signed-in wallet, in lower case. */
  address: string;
  /** The stream position of this render; null if there is no account. */
  since: string | null;
  /** Path of the vault's script. */
  vaultWorker: string;
  children: ReactNode;
}) {
  useKeptTimes();
  return (
    <CSPProvider disableStyleElements>
      <NetworkProvider network={network.network}>
        <QueryProvider>
          <ErrorWordsProvider describe={describeError}>
            <ToastProvider>
              <VaultProvider network={network} address={address} worker={vaultWorker}>
                <PaymentsProvider address={address}>
                  <PageTransition>
                    {since !== null && <Live since={since} />}
                    {children}
                    <SessionOver network={network} address={address} />
                  </PageTransition>
                </PaymentsProvider>
              </VaultProvider>
            </ToastProvider>
          </ErrorWordsProvider>
        </QueryProvider>
      </NetworkProvider>
    </CSPProvider>
  );
}
