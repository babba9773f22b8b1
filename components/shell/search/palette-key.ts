type Key = Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "repeat">;

/**
 * Returns what a key does to search; null if it is not its key, `⌘K` or `Ctrl K`.
 *
 * @param onScreen whether search is on screen. While it loads, pressing again does not take the first press back.
 */
export function paletteKey(
  { key, metaKey, ctrlKey, repeat }: Key,
  onScreen: boolean,
): "open" | "close" | "nothing" | null {
  if (key.toLowerCase() !== "k" || !(metaKey || ctrlKey)) return null;
  if (repeat) return "nothing";
  return onScreen ? "close" : "open";
}
