import { concat, type Hex, numberToHex, slice } from "viem";

/** "HCA" and the version of the format. */
const TAG: Hex = "0x48434101";
const LENGTH = 40;
const DAY_MS = 86_400_000;

/** Returns the UTC day of a time, counted from 1970-01-01. */
export const dayNumber = (time: Date): number => Math.floor(time.getTime() / DAY_MS);

/** Returns when a day begins. */
export const startOf = (day: number): Date => new Date(day * DAY_MS);

/** Returns the calldata of an anchor's transaction, always 40 bytes: tag, day and root. */
export const anchorCalldata = (day: number, root: Hex): Hex => concat([TAG, numberToHex(day, { size: 4 }), root]);

/** Parses the calldata of an anchor; returns null if it is something else. */
export function readAnchorCalldata(data: Hex): { day: number; root: Hex } | null {
  if (data.length !== 2 + 2 * LENGTH || slice(data, 0, 4) !== TAG) return null;
  return { day: Number(slice(data, 4, 8)), root: slice(data, 8) };
}
