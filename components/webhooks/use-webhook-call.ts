"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type Api, api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";

/** Returns a function that calls the session API and then refreshes everything that shows webhooks and deliveries. */
export function useWebhookCall(): <T>(call: (api: Api) => Promise<T>) => Promise<T> {
  const network = useNetwork();
  const client = useQueryClient();
  const router = useRouter();
  return async (call) => {
    try {
      return await call(api(network));
    } finally {
      // After a failure too, because it may have been done.
      void client.invalidateQueries({ predicate: resourceKeys.below(network, "/api/webhooks", "/api/deliveries") });
      router.refresh();
    }
  };
}
