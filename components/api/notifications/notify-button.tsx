"use client";

import { Bell, BellOff, BellRing } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { type Notifying, notifying, startNotifying, stopNotifying } from "./desktop";

/**
 * Turns the browser's notifications on and off. They say that an agent asks or that a balance is low, without figures.
 */
export function NotifyButton() {
  const toast = useToast();
  const { busy, run } = useAsyncAction({ failed: "Notifications could not be changed" });
  const [state, setState] = useState<Notifying>();
  useEffect(() => setState(notifying()), []);
  if (state === "unsupported") return null;
  if (state === "blocked") {
    return (
      <p className="flex items-center gap-1.5 text-muted text-xs sm:min-h-9">
        <BellOff size={13} aria-hidden="true" />
        Your browser blocks notifications from this site
      </p>
    );
  }
  const isOn = state === "on";
  const change = async () => {
    const now = isOn ? stopNotifying() : await startNotifying();
    setState(now);
    if (now === "on") {
      toast.success(
        "Notifications are on",
        "While Halcyon is open in a tab, you are notified when an agent asks or a balance is low.",
      );
    }
  };
  return (
    <Button
      busy={busy}
      disabled={state === undefined}
      icon={isOn ? <BellRing size={15} aria-hidden="true" /> : <Bell size={15} aria-hidden="true" />}
      onClick={() => run(change)}
    >
      {isOn ? "Stop notifying me" : "Notify me"}
    </Button>
  );
}
