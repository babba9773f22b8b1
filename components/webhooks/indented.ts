/** Indents a JSON text for reading. Returns any other text unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
