/** What `npm test` runs: the fewest steps, of one process of each kind, that hold what short-run.test.ts asks for. */
export const SHORT_RUN = { seed: 740_033, steps: 45 } as const;
