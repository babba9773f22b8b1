/** The person's choice; undefined follows the system. */
export type Theme = "light" | "dark" | undefined;

/** Returns the theme that a cookie's value names. */
export function themeOf(value: unknown): Theme {
  return value === "light" || value === "dark" ? value : undefined;
}
