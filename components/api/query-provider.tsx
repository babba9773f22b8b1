"use client";

import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiCallError } from "@/sdk/errors";

/** Only silence is asked again: an answer of the service is one. */
const retry = (failures: number, error: unknown) => failures < 2 && !(error instanceof ApiCallError);

/** A session that has ended elsewhere: sign in again, then come back to this page. */
function leaveWhenSignedOut(error: unknown): void {
  if (!(error instanceof ApiCallError) || error.status !== 401) return;
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** The page's cache of resources; what is opened from the vault is dropped when it locks. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
        defaultOptions: { queries: { retry, staleTime: 10_000 }, mutations: { retry: false } },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
