"use client";

import { useToast } from "@/components/ui/toast";

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * Returns a function that toggles between light and dark.
 *
 * @param setTheme stores the form's `theme` for this browser
 */
export function useSwitchTheme(setTheme: (form: FormData) => Promise<void>): () => void {
  const toast = useToast();
  return () => {
    const form = new FormData();
    form.set("theme", isDark() ? "light" : "dark");
    setTheme(form).catch(toast.failure);
  };
}
