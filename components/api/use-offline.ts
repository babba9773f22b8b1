"use client";

import { useEffect, useSyncExternalStore } from "react";

/** Someone who is offline for long is looked after this often: some browsers never say that the network is back. */
const LOOK_MS = 5_000;

let offline = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (next === offline) return;
  offline = next;
  for (const listener of listeners) listener();
}

/** Whether the service responds to this browser at all. */
export async function isReached(): Promise<boolean> {
  return fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
}

/**
 * Whether this browser reaches no one, now. A browser that has no network says so at once; a service on this machine is
 * still reached then, so it is asked before the page says so.
 */
export async function isOffline(): Promise<boolean> {
  if (navigator.onLine) {
    set(false);
    return false;
  }
  const reached = await isReached();
  set(!reached);
  return !reached;
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether this browser is offline, as far as anyone has looked. */
export function useOffline(): boolean {
  const now = useSyncExternalStore(
    watch,
    () => offline,
    () => false,
  );
  useEffect(() => {
    const look = () => void isOffline();
    look();
    addEventListener("online", look);
    addEventListener("offline", look);
    const timer = setInterval(() => !navigator.onLine && look(), LOOK_MS);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
      clearInterval(timer);
    };
  }, []);
  return now;
}
