"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type Api, api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useRefresh } from "@/components/api/use-refresh";

/** Returns a function that calls the API and then refreshes everything that shows webhooks and deliveries. */
export function useWebhookCall(): <T>(call: (api: Api) => Promise<T>) => Promise<T> {
  const network = useNetwork();
  const client = useQueryClient();
  const refresh = useRefresh();
  return async (call) => {
    try {
      const done = await call(api(network));
      // Not after a failure, when rendering could fail too and replace the page with all that was typed.
      refresh();
      return done;
    } finally {
      // After a failure too, because it may have been done.
      void client.invalidateQueries({
        predicate: resourceKeys.below(network, "/v1/webhooks", "/api/deliveries"),
      });
    }
  };
}
