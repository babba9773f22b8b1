"use client";

import { Eye, Lock, LockOpen } from "lucide-react";
import { useEffect, useState } from "react";
import { buttonClass } from "@/components/ui/button";
import { useVault } from "./vault-provider";

const LOOK_MS = 5_000;

function inWords(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  return minutes <= 1 ? "locks within a minute" : `locks in ${minutes} min`;
}

/** Always shows what one can do: nothing, see amounts (after a reload), or also pay. Press to unlock or lock. */
export function VaultStatusBar() {
  const vault = useVault();
  const { status, reads, locksAt } = vault;
  const [left, setLeft] = useState<string>();
  useEffect(() => {
    if (!reads) return;
    const look = () => setLeft(inWords((locksAt() ?? Date.now()) - Date.now()));
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [reads, locksAt]);

  if (status === "unlocked") {
    return (
      <button
        type="button"
        onClick={vault.lock}
        title={left && `Unlocked: ${left} without input. Press to lock now.`}
        className={buttonClass("ghost", "small", "text-success!")}
      >
        <LockOpen size={14} aria-hidden="true" />
        <span className="max-[359px]:sr-only">Unlocked</span>
        <span aria-hidden="true" className="hidden text-muted tabular-nums xl:inline">
          {left}
        </span>
        <span className="sr-only">, {left}. Lock now</span>
      </button>
    );
  }
  return (
    <button
      type="button"
      data-early
      onClick={() => void vault.unlock()}
      disabled={status === "unlocking"}
      title={reads ? `You see amounts; it ${left ?? "locks soon"}. Your wallet signs before you pay.` : undefined}
      className={buttonClass("secondary", "small")}
    >
      {reads ? <Eye size={14} aria-hidden="true" /> : <Lock size={14} aria-hidden="true" />}
      <span className="max-[359px]:sr-only">
        {status === "unlocking" ? "Unlocking…" : reads ? "Amounts shown" : "Locked"}
      </span>
      {status === "reading" && <span className="max-lg:sr-only"> · paying locked</span>}
      <span className="sr-only">{status === "unlocking" ? "" : reads ? ", unlock" : ", unlock amounts"}</span>
    </button>
  );
}
