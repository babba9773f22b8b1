"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type Api, api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";

/** Calls the session API, then brings everything that shows webhooks and deliveries up to date. */
export function useWebhookCall(): <T>(call: (api: Api) => Promise<T>) => Promise<T> {
  const network = useNetwork();
  const client = useQueryClient();
  const router = useRouter();
  return async (call) => {
    const answer = await call(api(network));
    const shows = (path: unknown) =>
      typeof path === "string" && (path.startsWith("/api/webhooks") || path.startsWith("/api/deliveries"));
    void client.invalidateQueries({ predicate: ({ queryKey: [of, path] }) => of === network && shows(path) });
    router.refresh();
    return answer;
  };
}
