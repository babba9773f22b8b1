"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { holdPage } from "@/components/ui/leaving";

/** Asks before unsaved edits are lost by a link, the command palette, Back, a reload or closing the tab. */
export function UnsavedGuard({ unsaved, what }: { unsaved: boolean; what: string }) {
  const router = useRouter();
  const [leaving, setLeaving] = useState<{ go: () => void }>();
  useEffect(() => {
    if (!unsaved) return;
    return holdPage(
      (go) => setLeaving({ go }),
      (href) => router.push(href),
    );
  }, [unsaved, router]);
  return (
    <ConfirmDialog
      open={leaving !== undefined}
      onClose={() => setLeaving(undefined)}
      title="Leave without saving?"
      keep="Stay on this page"
      confirm="Discard and leave"
      onConfirm={async () => leaving?.go()}
    >
      <p>{what}</p>
    </ConfirmDialog>
  );
}
