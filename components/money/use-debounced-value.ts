"use client";

import { useEffect, useState } from "react";

/** Returns a value once it has been unchanged for some time, so that typing does not trigger look-ups. */
export function useDebouncedValue<T>(value: T, milliseconds = 350): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return later;
}
