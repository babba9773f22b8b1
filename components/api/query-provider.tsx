"use client";

import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiCallError } from "@/sdk/api/errors";
import { signInAfter } from "./sign-in-again";

/** For how long a response is taken for what the service would say now. */
export const FRESH_MS = 10_000;

/** Only silence is asked again: a response of the service is one. */
const retry = (failures: number, error: unknown) => failures < 2 && !(error instanceof ApiCallError);

/** The page's cache of resources; what is decrypted from the vault is dropped when it locks. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({ onError: signInAfter }),
        defaultOptions: {
          queries: { retry, staleTime: FRESH_MS },
          // Offline an act fails at once. The library's own choice is to wait, and to carry it out when no one looks
          // any more.
          mutations: { retry: false, networkMode: "always" },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
