"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";
import { notifyHeld } from "@/components/approvals/notifications";
import { useNetwork } from "@/components/shell/network-context";
import { useGo } from "@/components/shell/page-transition";
import { openStream } from "./stream";

const COALESCE_MS = 250;

/** Which resources a message of the stream makes out of date, by the first words of its type. */
const STALE: Record<string, string[]> = {
  transfer: ["/api/transfers", "/api/events", "vault:"],
  "agent.transaction": ["/api/agents/transactions", "/api/events", "vault:"],
  agent: ["/api/agents", "/api/events", "vault:"],
  key: ["/api/keys"],
  webhook: ["/api/webhooks", "/api/deliveries"],
  deliveries: ["/api/webhooks", "/api/deliveries"],
  session: ["/api/sessions"],
  account: ["/api/accounts/me", "/api/keys"],
  backup: ["/api/backups"],
};

function stalePaths(type: string): string[] {
  const name = Object.keys(STALE).find((prefix) => type === prefix || type.startsWith(`${prefix}.`));
  return [...(name ? (STALE[name] ?? []) : []), "/api/audit-log"];
}

/**
 * Keeps the page fresh: one stream of the session's changes (ids and types, never amounts) per tab. What is on screen
 * and out of date is fetched and opened again, the server components are rendered anew.
 */
export function Live() {
  const network = useNetwork();
  const client = useQueryClient();
  const router = useRouter();
  const go = useGo();
  const [refreshing, startRefresh] = useTransition();
  const wanted = useRef(false);
  // One at a time: a page that is asked for again before it came would not be shown for as long as things happen.
  const refresh = useRef(() => {});
  useEffect(() => {
    refresh.current = () => {
      if (refreshing || !wanted.current) return;
      wanted.current = false;
      startRefresh(() => router.refresh());
    };
    refresh.current();
  }, [refreshing, router]);
  useEffect(() => {
    const paths = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      const isStale = (path: unknown) =>
        typeof path === "string" && [...paths].some((part) => part === "" || path.startsWith(part));
      void client.invalidateQueries({ predicate: ({ queryKey: [of, path] }) => of === network && isStale(path) });
      paths.clear();
      wanted.current = true;
      refresh.current();
    };
    // Together, so that a busy account does not make its open pages busy.
    const stale = (changed: string[]) => {
      for (const path of changed) paths.add(path);
      timer ??= setTimeout(flush, COALESCE_MS);
    };
    const close = openStream(network, (message, data) => {
      switch (message) {
        // What happened between rendering and connecting, or while the stream was down, is not told: look again.
        case "ready":
          if (!(data as { resumed: boolean }).resumed) stale([""]);
          break;
        case "deliveries":
          stale(stalePaths("deliveries"));
          break;
        case "event":
          stale(stalePaths((data as { type: string }).type));
          break;
        case "change": {
          const { type, target } = data as { type: string; target: string };
          stale(stalePaths(type));
          if (type === "agent.transaction.held") notifyHeld(network, target, go);
        }
      }
    });
    return () => {
      clearTimeout(timer);
      close();
    };
  }, [network, client, go]);
  return null;
}
