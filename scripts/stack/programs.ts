/** The programs of an image or installation by name. Each is started with `node scripts/serve.mjs <name>`. */
export const PROGRAMS = {
  web: "server.ts",
  worker: "lib/worker/worker.ts",
  migrate: "scripts/migrate.ts",
  maintain: "scripts/maintain.ts",
  reindex: "scripts/reindex.ts",
  "audit-verify": "scripts/audit-verify.ts",
  "rotate-secrets-key": "scripts/rotate-secrets-key.ts",
  "rotate-server-pepper": "scripts/rotate-server-pepper.ts",
} as const;

/** A build by `npm run build`, as `scripts/serve.mjs` reads it. Paths are relative to the repository. */
export interface Built {
  /** Next.js's `distDir`. */
  dist: string;
  /** The JavaScript file of each program. */
  programs: Record<keyof typeof PROGRAMS, string>;
}
