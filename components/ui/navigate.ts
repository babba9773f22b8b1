"use client";

import { createContext } from "react";

/** Opens a page of the dashboard, showing at once that it loads; null outside of the dashboard. */
export const NavigateContext = createContext<((href: string) => void) | null>(null);
