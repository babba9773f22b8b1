interface EarlyWindow extends Window {
  halcyonPressed?: HTMLElement | null;
}

/** Returns what was pressed before the page's scripts had loaded. From then on, nothing is remembered any more. */
export function takeEarlyPress(): HTMLElement | null | undefined {
  const page = window as EarlyWindow;
  const pressed = page.halcyonPressed;
  page.halcyonPressed = null;
  return pressed;
}
