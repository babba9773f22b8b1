import type { Variables } from "../context/platform/config-dir";

const sgr = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;

/** Adds terminal codes. Streams without colour remove them, so every text is built the same way. */
export const bold = sgr(1, 22);
export const dim = sgr(2, 22);
export const red = sgr(31, 39);

/**
 * Reports whether a stream shows colour: a terminal does, unless NO_COLOR is set or TERM is `dumb`. FORCE_COLOR
 * overrides both, as in Node: `0` and `false` mean never, anything else always (https://no-color.org,
 * https://force-color.org).
 */
export function showsColour(stream: { isTTY?: boolean }, variables: Variables = process.env): boolean {
  if (variables.FORCE_COLOR !== undefined) return !["0", "false"].includes(variables.FORCE_COLOR);
  if (variables.NO_COLOR || variables.TERM === "dumb") return false;
  return stream.isTTY === true;
}
