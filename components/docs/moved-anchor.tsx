"use client";

import { useEffect } from "react";

/** Redirects if the address names a section that has left this page. `anchors` maps its anchor to the new address. */
export function MovedAnchor({ anchors }: { anchors: Record<string, string> }) {
  useEffect(() => {
    const lead = () => {
      const moved = anchors[decodeURIComponent(window.location.hash.slice(1))];
      if (moved) window.location.replace(moved);
    };
    lead();
    window.addEventListener("hashchange", lead);
    return () => window.removeEventListener("hashchange", lead);
  }, [anchors]);
  return null;
}
