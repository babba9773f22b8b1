"use client";

import { useSyncExternalStore } from "react";
import { isServiceSilent, onService } from "./service-watch";

/** Returns whether the service is known not to respond. */
export function useServiceSilent(): boolean {
  return useSyncExternalStore(onService, isServiceSilent, () => false);
}
