/** Blocks asked for at once: public nodes bound the range of eth_getLogs. */
export const RANGE = 5_000n;
