import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  resolve: { alias: { "@": root.replace(/\/$/, "") } },
  test: {
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
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
