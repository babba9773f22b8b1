type Variables = Record<string, string | undefined>;

const sgr = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;

/** Marks for terminals. Streams that show no colour remove them again, so that texts are made in one way. */
export const bold = sgr(1, 22);
export const dim = sgr(2, 22);
export const red = sgr(31, 39);

/**
 * Whether a stream shows colour: a terminal does unless NO_COLOR is set or TERM is `dumb`. FORCE_COLOR goes before both,
 * as in Node: `0` and `false` mean never, anything else always (https://no-color.org, https://force-color.org).
 */
export function showsColour(stream: { isTTY?: boolean }, variables: Variables = process.env): boolean {
  if (variables.FORCE_COLOR !== undefined) return !["0", "false"].includes(variables.FORCE_COLOR);
  if (variables.NO_COLOR || variables.TERM === "dumb") return false;
  return stream.isTTY === true;
}
