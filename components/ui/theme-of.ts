/** The person's choice; undefined follows the system. */
export type Theme = "light" | "dark" | undefined;

/** The theme a cookie names. */
export function themeOf(value: unknown): Theme {
  return value === "light" || value === "dark" ? value : undefined;
}
