"use client";

import { useEffect } from "react";

interface EarlyWindow extends Window {
  halcyonPressed?: HTMLElement | null;
}

/** Once the page's scripts have run, does what was pressed before. */
export function useEarlyPresses(): void {
  useEffect(() => {
    const page = window as EarlyWindow;
    const pressed = page.halcyonPressed;
    page.halcyonPressed = null;
    if (pressed?.isConnected) pressed.click();
  }, []);
}
