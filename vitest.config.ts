import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  resolve: { alias: { "@": root.replace(/\/$/, "") } },
  test: {
    pool: "forks",
    // Integration tests mostly wait for their services: more than Vitest would choose.
    maxWorkers: availableParallelism() + 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          globalSetup: "scripts/testing/prepared-folder.ts",
          include: ["{app,components,db,lib,scripts,sdk,bench}/**/*.test.{ts,tsx}"],
        },
      },
      {
        extends: true,
        test: { name: "circuits", include: ["circuits/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 300_000 },
      },
    ],
  },
});
