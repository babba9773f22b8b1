"use client";

import { useEffect, useState } from "react";

const TICK_MS = 1_000;

/**
 * Returns the time, updated every second. Starts with the server's time, so that server and browser render the same.
 */
export function useClock(atRendering: number): number {
  const [now, setNow] = useState(atRendering);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
