/** What one image or installation runs, by name: each is started as `node scripts/serve.mjs <name>`. */
export const PROGRAMS = {
  web: "server.ts",
  worker: "lib/jobs/worker.ts",
  prover: "lib/prover/prover-process.ts",
  migrate: "scripts/migrate.ts",
  maintain: "scripts/maintain.ts",
  reindex: "scripts/reindex.ts",
  "audit-verify": "scripts/audit-verify.ts",
  "rotate-secrets-key": "scripts/rotate-secrets-key.ts",
  "rotate-server-pepper": "scripts/rotate-server-pepper.ts",
} as const;

/** A build as `npm run build` leaves it for `scripts/serve.mjs`; paths are relative to the repository. */
export interface Built {
  /** Next's `distDir`. */
  dist: string;
  /** JavaScript file of each program. */
  programs: Record<keyof typeof PROGRAMS, string>;
}
