import { useEffect, useState } from "react";

/** How long work takes before it counts as slow, in milliseconds. */
const SLOW_MS = 8_000;

/** Returns whether something takes long: true some seconds after the component was first shown. */
export function useSlow(): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return slow;
}
