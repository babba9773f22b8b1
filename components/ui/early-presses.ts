"use client";

import { useEffect } from "react";
import { takeEarlyPress } from "./take-early-press";

function press(pressed: HTMLElement): void {
  if (!pressed.isConnected) return;
  // Submitted without a button, by Enter.
  if (pressed instanceof HTMLFormElement) {
    pressed.requestSubmit();
    return;
  }
  if (pressed instanceof HTMLInputElement) {
    // React hears of a switch only if it differs from what React noted last, perhaps in the midst of the early press.
    const { checked } = pressed;
    pressed.checked = checked;
  }
  pressed.click();
}

/** Once the page's scripts have loaded, repeats the press that was remembered before. */
export function useEarlyPresses(): void {
  useEffect(() => {
    const pressed = takeEarlyPress();
    // Fields first take over what was typed into them.
    if (pressed) setTimeout(() => press(pressed));
  }, []);
}
