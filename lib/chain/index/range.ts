/** Blocks per request: public nodes limit the range of eth_getLogs. */
export const RANGE = 5_000n;
