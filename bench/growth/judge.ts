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
/** What a read may take more whatever its ratio, in milliseconds: 84 blocks in memory take 21 microseconds. */
export const FLOOR_MS = 0.02;
/**
 * How many blocks a read may take more for each entry that it looks up, whatever its ratio. A tree of a hundred times as
 * many entries is one level deeper, which is a block more for each of up to four tables. What reads rows in proportion
 * to their number takes far more.
 */
export const FLOOR_BLOCKS = 4;
/** The entries that a page looks up, and the one after it. */
const PAGE = 21;
/** The lists without pages that return more, with their limit in both databases. */
const LONGER: Readonly<Record<string, number>> = {
  "API keys": 1_000,
  counterparties: 200,
  "the same, of all agents": 100,
};

const grows = ([few, many]: Pair, floor: number): boolean => many > few * GOAL && many - few > floor;

/**
 * Reports whether CPU and time are both above the goal. Other load on the machine moves either of them, so further rounds
 * are worth it.
 */
export function takesLonger({ ms, cpu }: Pick<Measurement, "ms" | "cpu">): boolean {
  const isKnown = !Number.isNaN(cpu[0] + cpu[1]);
  return grows(ms, FLOOR_MS) && (!isKnown || grows(cpu, FLOOR_MS));
}

/** Returns how a read grows with the number of rows; null if it does not. */
export function faultOf(read: string, measured: Measurement): string | null {
  if (measured.scanned.length > 0) return `reads ${measured.scanned.join(" and ")} from end to end`;
  if (grows(measured.blocks, FLOOR_BLOCKS * (LONGER[read] ?? PAGE))) return "reads more blocks";
  return takesLonger(measured) ? "takes more CPU and time" : null;
}

/** Returns how many times as much the second is; 1 if neither is anything. */
export const ratioOf = ([few, many]: Pair): number => (few === 0 && many === 0 ? 1 : many / few);
