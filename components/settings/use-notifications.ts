"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import type { NotificationsResource } from "@/lib/events/notifications/settings-resource";

const PATH = "/api/notifications";

/** Returns the account's notification settings, and what to call when they have changed. */
export function useNotifications(initial: NotificationsResource) {
  const network = useNetwork();
  const client = useQueryClient();
  const { data = initial } = useResource<NotificationsResource>(PATH, { initial });
  return {
    network,
    settings: data,
    show: (changed: NotificationsResource) => client.setQueryData(resourceKeys.one(network, PATH), changed),
    reload: () => client.invalidateQueries({ queryKey: resourceKeys.collection(network, PATH) }),
  };
}
