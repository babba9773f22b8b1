"use client";

import { Eye, Lock, LockOpen } from "lucide-react";
import { useEffect, useState } from "react";
import { buttonClass } from "@/components/ui/button";
import { useVault } from "./vault-provider";

const LOOK_MS = 5_000;
const SHOWS = { amounts: "Amounts shown", balances: "Balances shown" };

function inWords(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  return minutes <= 1 ? "locks within a minute" : `locks in ${minutes} min`;
}

/**
 * Always shows what one can do: nothing, see balances (while the chain does not respond) or amounts (after a reload), or
 * also pay. Press to unlock or lock.
 */
export function VaultStatusBar() {
  const vault = useVault();
  const { status, reads, shown, locksAt } = vault;
  const shows = reads ? "amounts" : shown ? "balances" : undefined;
  const [left, setLeft] = useState<string>();
  useEffect(() => {
    if (!shows) return;
    const look = () => setLeft(inWords((locksAt() ?? Date.now()) - Date.now()));
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [shows, locksAt]);

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
      title={shows && `You see ${shows}; it ${left ?? "locks soon"}. Your wallet signs before you pay.`}
      className={buttonClass("secondary", "small")}
    >
      {shows ? <Eye size={14} aria-hidden="true" /> : <Lock size={14} aria-hidden="true" />}
      <span className="max-[359px]:sr-only">
        {status === "unlocking" ? "Unlocking…" : shows ? SHOWS[shows] : "Locked"}
      </span>
      {shows && status !== "unlocking" && <span className="max-lg:sr-only"> · paying locked</span>}
      <span className="sr-only">{status === "unlocking" ? "" : shows ? ", unlock" : ", unlock amounts"}</span>
    </button>
  );
}
