"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";

/** Asks before a link of this page, a reload or a closed tab loses what was edited. */
export function UnsavedGuard({ unsaved, what }: { unsaved: boolean; what: string }) {
  const router = useRouter();
  const [leaving, setLeaving] = useState<string>();
  useEffect(() => {
    if (!unsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (!link || link.target === "_blank" || link.origin !== location.origin) return;
      if (link.pathname === location.pathname) return;
      event.preventDefault();
      event.stopPropagation();
      setLeaving(link.pathname + link.search);
    };
    addEventListener("beforeunload", onUnload);
    // Before the router's own listener, which would follow the link.
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, [unsaved]);
  return (
    <ConfirmDialog
      open={leaving !== undefined}
      onClose={() => setLeaving(undefined)}
      title="Leave without saving?"
      confirm="Discard and leave"
      onConfirm={async () => {
        if (leaving !== undefined) router.push(leaving);
      }}
    >
      <p>{what}</p>
    </ConfirmDialog>
  );
}
