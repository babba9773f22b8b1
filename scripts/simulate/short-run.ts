/** What `npm test` runs: the fewest steps, of one process of each kind, that hold what short-run.test.ts asks for. */
export const SHORT_RUN = { seed: 2_023_671, steps: 39 } as const;
