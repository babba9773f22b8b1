/** The option of every command that moves money: running it again with the same key is the same payment. */
export const KEY = [
  "--idempotency-key <key>",
  "the same key never moves money twice; a second run continues the first",
] as const;
