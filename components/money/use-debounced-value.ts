"use client";

import { useEffect, useState } from "react";

/** A value once it has stayed the same for a while: nothing is looked up while someone types. */
export function useDebouncedValue<T>(value: T, milliseconds = 350): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return later;
}
