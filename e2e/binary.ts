import path from "node:path";

/** The command line that is tested: the clone's, or of an installed package (`npm run test:long -- installed`). */
export const BINARY = process.env.HALCYON_TEST_BINARY ?? path.resolve(import.meta.dirname, "../sdk/bin/halcyon.mjs");
