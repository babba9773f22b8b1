"use client";

import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiCallError } from "@/sdk/api/errors";
import { signInAfter } from "./sign-in-again";

/** How long a response counts as current, in milliseconds. */
export const FRESH_MS = 10_000;

/** Retry only when there was no response. An error response is final. */
const retry = (failures: number, error: unknown) => failures < 2 && !(error instanceof ApiCallError);

/** Provides the page's cache of resources. Entries decrypted by the vault are dropped when it locks. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({ onError: signInAfter }),
        defaultOptions: {
          queries: { retry, staleTime: FRESH_MS },
          // Offline, a mutation fails at once. The library's default is to pause it and run it later, when the person
          // no longer expects it.
          mutations: { retry: false, networkMode: "always" },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
