"use client";

import { useEffect, useSyncExternalStore } from "react";

/** How often to check whether an offline browser is online again: some browsers never fire `online`. */
const LOOK_MS = 5_000;
/** How long the service may take to respond to this browser. */
const REACH_MS = 30_000;

let offline = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (next === offline) return;
  offline = next;
  for (const listener of listeners) listener();
}

/** Returns whether the service responds to this browser. */
export async function isReached(): Promise<boolean> {
  const signal = AbortSignal.timeout(REACH_MS);
  return fetch("/healthz", { method: "HEAD", cache: "no-store", signal }).then(
    () => true,
    () => false,
  );
}

/**
 * Returns whether this browser is offline now. If the browser says that it has no network, the service is asked as
 * well: a service on the same machine still responds.
 */
export async function isOffline(): Promise<boolean> {
  // The network can come back while the service is asked. Nothing would look again then.
  const reached = navigator.onLine || (await isReached()) || navigator.onLine;
  set(!reached);
  return !reached;
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether this browser is offline, as of the last check. */
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
    const timer = setInterval(() => (offline || !navigator.onLine) && look(), LOOK_MS);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
      clearInterval(timer);
    };
  }, []);
  return now;
}
