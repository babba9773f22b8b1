"use client";

import dynamic from "next/dynamic";
import { QueryProvider } from "@/components/api/query-provider";
import { Skeleton } from "@/components/ui/skeleton";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";

const SignInPanel = dynamic(() => import("./sign-in-panel"), {
  ssr: false,
  loading: () => (
    <div className="grid gap-2">
      <Skeleton className="h-13 rounded-lg!" />
      <Skeleton className="mt-2 h-8" />
    </div>
  ),
});

/** The interactive part of the sign-in. Its wallet code is loaded separately from the page. */
export function SignInIsland(props: { network: NetworkResource; next: string }) {
  return (
    <QueryProvider>
      <SignInPanel {...props} />
    </QueryProvider>
  );
}
