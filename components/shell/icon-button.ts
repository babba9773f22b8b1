/** The classes of an icon button. */
export const ICON_BUTTON =
  "grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11";
