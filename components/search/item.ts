import type { LucideIcon } from "lucide-react";

/** A row of the palette. */
export interface Item {
  /** Different from every other row's. */
  id: string;
  label: string;
  /** What differs from others of its name. */
  detail?: string;
  /** Words it is found by as well. */
  keywords?: string;
  icon: LucideIcon;
  choose: () => void;
  /** The palette stays open: the row shows more. */
  stays?: boolean;
}

export interface Group {
  value: string;
  items: Item[];
}
