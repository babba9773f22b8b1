"use client";

import { Eye, LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { useVault } from "./vault-provider";

/** The classes of the line above figures that says whether they are decrypted. */
export const BAR =
  "flex min-h-13 items-center gap-3 rounded-xl border border-line bg-raised px-4 py-2 text-sm shadow-raised sm:px-5";

/** Says that figures are encrypted, or how old they are, with a button that decrypts them. */
export function EncryptedBar({
  children,
  opens,
  shows = false,
}: {
  /** What is encrypted, or of when it is. */
  children: ReactNode;
  /** What one signature does. */
  opens: string;
  /** Whether earlier figures are on the page. */
  shows?: boolean;
}) {
  const vault = useVault();
  const Icon = shows ? Eye : LockKeyhole;
  return (
    <div className={BAR}>
      <Icon size={16} aria-hidden="true" className="shrink-0 text-muted" />
      <p className="min-w-0 flex-1 text-pretty">
        {children} <span className="text-muted">{opens}</span>
      </p>
      <Button data-early size="small" busy={vault.status === "unlocking"} onClick={() => void vault.unlock()}>
        Unlock
      </Button>
    </div>
  );
}
