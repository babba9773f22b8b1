/** What one read takes in a small and in a large database. */
export interface Measurement {
  /** Milliseconds of a call: the fastest tenth. */
  ms: Pair;
  /** Milliseconds of PostgreSQL's CPU for a call: the cheapest round. NaN where the system does not report it. */
  cpu: Pair;
  /** Blocks that PostgreSQL reads for a call. */
  blocks: Pair;
  /** Tables of many rows that PostgreSQL reads from end to end in the large database. */
  scanned: readonly string[];
}
export type Pair = readonly [few: number, many: number];

/** How many times as much a read may take in the large database. */
export const GOAL = 1.2;
/**
 * What a read may take more whatever its ratio, in milliseconds and in blocks. A tree of a hundred times as many entries
 * is one level deeper, which is a block more for each entry that is looked up, and a page looks up 21 entries in up to
 * four tables. A block that is in memory costs PostgreSQL a quarter of a microsecond. What reads rows in proportion to
 * their number takes milliseconds more.
 */
export const FLOOR = { ms: 0.02, blocks: 84 };

const grows = ([few, many]: Pair, floor: number): boolean => many > few * GOAL && many - few > floor;

/**
 * Reports whether CPU and time are both above the goal. Other load on the machine moves either of them, so further rounds
 * are worth it.
 */
export function takesLonger({ ms, cpu }: Pick<Measurement, "ms" | "cpu">): boolean {
  const isKnown = !Number.isNaN(cpu[0] + cpu[1]);
  return grows(ms, FLOOR.ms) && (!isKnown || grows(cpu, FLOOR.ms));
}

/** Returns how a read grows with the number of rows; null if it does not. */
export function faultOf(measured: Measurement): string | null {
  if (measured.scanned.length > 0) return `reads ${measured.scanned.join(" and ")} from end to end`;
  if (grows(measured.blocks, FLOOR.blocks)) return "reads more blocks";
  return takesLonger(measured) ? "takes more CPU and time" : null;
}

/** Returns how many times as much the second is; 1 if neither is anything. */
export const ratioOf = ([few, many]: Pair): number => (few === 0 && many === 0 ? 1 : many / few);
