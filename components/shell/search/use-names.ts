"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot, KeyRound, Send, UserRound, Webhook } from "lucide-react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { shortened } from "@/components/ui/address";
import type { toKeyEntry } from "@/lib/accounts/keys/api-key";
import type { toAgentList } from "@/lib/agents/agent-resource";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import type { CounterpartyResource } from "@/lib/payments/search/list-counterparties";
import type { Item, ItemGroup } from "./item";
import { payHref } from "./pay-href";
import { ranked } from "./rank";

const MOST = 6;

type KeyEntry = ReturnType<typeof toKeyEntry>;

/**
 * Finds people, agents, API keys and webhooks by name. Fetches the whole lists and searches them here, so that the
 * typed text stays in this browser.
 */
export function useNames(text: string, go: (href: string) => void): ItemGroup[] {
  const network = useNetwork();
  const people = useQuery({
    queryKey: [network, "/api/counterparties"],
    queryFn: () => api(network).get<{ counterparties: CounterpartyResource[] }>("/api/counterparties"),
  });
  const agents = useResource<ReturnType<typeof toAgentList>>("/v1/accounts/me/agents");
  const keys = useResource<{ keys: KeyEntry[] }>("/api/keys");
  const webhooks = useResource<{ webhooks: WebhookResource[] }>("/v1/webhooks");
  if (text.trim() === "") return [];
  const base = `/${network}`;
  const row = (id: string, label: string, href: string, rest: Pick<Item, "icon" | "detail" | "keywords">): Item => {
    return { id, label, choose: () => go(href), ...rest };
  };
  const groups: [string, Item[]][] = [
    [
      "People",
      (people.data?.counterparties ?? []).flatMap(({ handle, address }) => {
        const [who, name] = [handle ?? address, handle ?? shortened(address)];
        const rest = { keywords: address, detail: handle ? shortened(address) : undefined };
        const list = `${base}/transfers?counterparty=${encodeURIComponent(who)}`;
        return [
          row(address, name, list, { ...rest, icon: UserRound, keywords: `${address} transfers` }),
          row(`pay ${address}`, `Pay ${name}`, payHref(base, who), { ...rest, icon: Send }),
        ];
      }),
    ],
    [
      "Agents",
      (agents.data?.agents ?? []).map(({ account_id: id, handle }) =>
        row(id, handle, `${base}/agents/${id}`, { icon: Bot }),
      ),
    ],
    [
      "API keys",
      (keys.data?.keys ?? [])
        .filter(({ revoked_at }) => revoked_at === null)
        .map(({ key_id: id, label, last_four }) =>
          row(id, label, `${base}/developers/keys`, { icon: KeyRound, detail: `…${last_four}` }),
        ),
    ],
    [
      "Webhooks",
      (webhooks.data?.webhooks ?? []).map(({ webhook_id: id, url }) =>
        row(id, url.replace(/^https?:\/\//, ""), `${base}/developers/webhooks/${id}`, { icon: Webhook }),
      ),
    ],
  ];
  return groups.flatMap(([value, items]) => {
    const found = ranked(items, text).slice(0, MOST);
    return found.length > 0 ? [{ value, items: found }] : [];
  });
}
