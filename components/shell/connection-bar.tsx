"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { keepPage } from "@/components/api/keep-page";
import { askServiceNow } from "@/components/api/service-watch";
import { useOffline } from "@/components/api/use-offline";
import { useRefresh } from "@/components/api/use-refresh";
import { useServiceSilent } from "@/components/api/use-service-silent";
import { useComingPage } from "./page-transition";

/** What the bar says, and what its button does. */
interface Said {
  text: string;
  now?: () => void;
}

function useSaid(offline: boolean, silent: boolean): Said | null {
  const coming = useComingPage();
  const page = coming?.late ? coming : null;
  const name = page?.name ?? "the page";
  if (offline) return { text: "You are offline. Nothing you start now is sent later." };
  if (silent) {
    const text = page
      ? `Halcyon does not respond. Waiting to open ${name}; asking again every few seconds.`
      : "Halcyon does not respond. Asking again every few seconds; what you see stays.";
    return { text, now: askServiceNow };
  }
  if (page) return { text: `Opening ${name} takes longer than usual. Still waiting.`, now: page.again };
  return null;
}

/**
 * Says above every page that this browser is offline, that the service does not respond or that a page is late, and
 * what is tried. Once the service responds again, the page and what it reads are read again.
 */
export function ConnectionBar() {
  const offline = useOffline();
  const silent = useServiceSilent();
  const said = useSaid(offline, silent);
  const coming = useComingPage();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const back = useEffectEvent(() => {
    void queries.invalidateQueries();
    // Its first request may have been lost, late or not.
    if (coming) coming.again();
    else refresh();
  });
  const wasSilent = useRef(false);
  useEffect(() => {
    if (wasSilent.current && !silent) back();
    wasSilent.current = silent;
  }, [silent]);
  const chosen = useEffectEvent(() => coming?.href ?? null);
  useEffect(() => keepPage(chosen), []);
  return (
    <div role="status" className="empty:hidden">
      {said && (
        <p className="text-pretty border-line border-b bg-warning-soft px-4 py-1.5 text-center font-medium text-[13px] text-warning">
          {said.text}
          {said.now && (
            <button
              type="button"
              onClick={said.now}
              className="ml-2 rounded underline underline-offset-2 pointer-coarse:py-2"
            >
              Try now
            </button>
          )}
        </p>
      )}
    </div>
  );
}
