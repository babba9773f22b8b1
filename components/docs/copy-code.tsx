"use client";

import { useEffect, useState } from "react";

/** Makes every copy button of the documentation work with one listener, across pages. */
export function CopyCode() {
  const [announcement, announce] = useState("");
  useEffect(() => {
    const onClick = async ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
      const panes = button?.closest("figure")?.querySelectorAll<HTMLElement>(".docs-pane");
      const shown = [...(panes ?? [])].find((pane) => pane.offsetParent !== null);
      if (!button || !shown) return;
      await navigator.clipboard.writeText((shown.textContent ?? "").trimEnd());
      button.dataset.copied = "";
      announce("Copied");
      setTimeout(() => {
        delete button.dataset.copied;
        announce("");
      }, 1600);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);
  return (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  );
}
