/** For every command that moves money: with the same key, a second run is the same payment. */
export const KEY = [
  "--idempotency-key <key>",
  "the same key never moves money twice; a second run continues the first",
] as const;
