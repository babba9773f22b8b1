import type { LucideIcon } from "lucide-react";

/** A row of the palette. */
export interface Item {
  /** Unique among all rows. */
  id: string;
  label: string;
  /** Distinguishes rows with the same label. */
  detail?: string;
  /** Additional words that find it. */
  keywords?: string;
  icon: LucideIcon;
  choose: () => void;
  /** Whether choosing it keeps the palette open, because it reveals more. */
  stays?: boolean;
}

export interface ItemGroup {
  value: string;
  items: Item[];
}
