"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";
import { useNetwork } from "@/components/api/network-context";
import type { notifyHeld as NotifyHeld } from "@/components/api/notifications/desktop";
import { followStream } from "../api/open-stream";
import { onSession } from "../api/sign-in-again";
import { mayRender } from "../api/use-refresh";
import { useGo } from "./page-transition";

const COALESCE_MS = 250;

/** The resources that a stream message makes stale, by the start of its type. */
const STALE: Record<string, string[]> = {
  transfer: ["/v1/transfers", "/v1/payment-requests", "/v1/events", "vault:"],
  payment_request: ["/v1/payment-requests", "/v1/events"],
  payout: ["/v1/payouts", "/v1/events"],
  schedule: ["/v1/schedules", "/v1/events", "vault:decryptSchedules"],
  "agent.transaction": ["/v1/agents/transactions", "/api/agents/transactions", "/v1/events", "vault:"],
  agent: ["/v1/accounts/me/agents", "/v1/agents", "/api/agents", "/v1/events", "vault:"],
  key: ["/api/keys"],
  webhook: ["/v1/webhooks", "/api/deliveries"],
  deliveries: ["/v1/webhooks", "/api/deliveries"],
  session: ["/api/sessions"],
  account: ["/v1/accounts/me", "/api/keys"],
  backup: ["/api/backups"],
};

function stalePaths(type: string): string[] {
  const name = Object.keys(STALE).find((prefix) => type === prefix || type.startsWith(`${prefix}.`));
  return [...(name ? (STALE[name] ?? []) : []), "/v1/audit-log"];
}

/** Notifies about a held payment. The code is loaded on demand, because few pages need it. */
async function notifyOfHeld(...held: Parameters<typeof NotifyHeld>): Promise<void> {
  const { notifyHeld } = await import("@/components/api/notifications/desktop");
  await notifyHeld(...held);
}

/** Deliveries are frequent, and these are the only pages whose server render shows them. */
const SHOWS_DELIVERIES = /^\/[a-z]+\/developers\/(webhooks|events)(\/|$)/;

/**
 * Keeps the page current: one stream per tab reports the session's changes (ids and types, never amounts). Stale
 * resources on screen are fetched and decrypted again, and the server components render again.
 *
 * @param since the stream position of the page's render
 */
export function Live({ since }: { since: string }) {
  const network = useNetwork();
  const client = useQueryClient();
  const router = useRouter();
  const go = useGo();
  const [refreshing, startRefresh] = useTransition();
  // The position of the first render. Later renders must not reopen the stream.
  const from = useRef(since);
  const wanted = useRef(false);
  const asking = useRef(false);
  // One refresh at a time: restarting it before it arrives would never show a page while changes keep coming.
  const refresh = useRef(() => {});
  useEffect(() => {
    refresh.current = () => {
      if (refreshing || asking.current || !wanted.current) return;
      asking.current = true;
      void mayRender(network).then((may) => {
        asking.current = false;
        if (!may) return;
        wanted.current = false;
        startRefresh(() => router.refresh());
      });
    };
    refresh.current();
  }, [refreshing, router, network]);
  useEffect(() => {
    const paths = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let renderAnew = false;
    const flush = () => {
      timer = undefined;
      const isStale = (path: unknown) =>
        typeof path === "string" && [...paths].some((part) => part === "" || path.startsWith(part));
      void client.invalidateQueries({ predicate: ({ queryKey: [of, path] }) => of === network && isStale(path) });
      paths.clear();
      if (!renderAnew) return;
      renderAnew = false;
      wanted.current = true;
      refresh.current();
    };
    // Collects changes for a moment, so that a busy account does not keep its open pages busy.
    const stale = (changed: string[], ofPage = true) => {
      for (const path of changed) paths.add(path);
      renderAnew ||= ofPage;
      timer ??= setTimeout(flush, COALESCE_MS);
    };
    const close = followStream(network, from.current, (message, data) => {
      switch (message) {
        // The service could not resume from this page's position, so everything may be stale.
        case "ready":
          if (!(data as { resumed: boolean }).resumed) stale([""]);
          // While the service was away, the page could not be rendered.
          refresh.current();
          break;
        case "deliveries":
          stale(stalePaths("deliveries"), SHOWS_DELIVERIES.test(location.pathname));
          break;
        case "event":
          stale(stalePaths((data as { type: string }).type));
          break;
        case "change": {
          const { type, target } = data as { type: string; target: string };
          stale(stalePaths(type));
          if (type === "agent.transaction.held") void notifyOfHeld(network, target, go);
        }
      }
    });
    // Nor while a dialog held it, or the session was over.
    const endHearing = onSession(() => refresh.current());
    return () => {
      clearTimeout(timer);
      endHearing();
      close();
    };
  }, [network, client, go]);
  return null;
}
