import { useEffect, useState } from "react";

/** How long work takes before it is called slow. */
const SLOW_MS = 8_000;

/** Whether what a component waits for takes long: true some seconds after it is first shown. */
export function useSlow(): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return slow;
}
