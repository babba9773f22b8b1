"use client";

import { useEffect, useState } from "react";

const TICK_MS = 1_000;

/** The time, each second; first as the server had it, so that both render the same. */
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
