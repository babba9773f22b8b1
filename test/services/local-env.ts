import { createHash } from "node:crypto";
import { takeRunProver } from "./run-prover";

/** Returns 32 bytes in hex that look random and are the same in every run. */
export const secretOf = (name: string): string => createHash("sha256").update(name).digest("hex");

/** The key of the account that holds the local chains' money. */
export const FAUCET_KEY = `0x${"fa".repeat(32)}` as const;

/** Sets `process.env` to a test file's secrets and services, before lib/base/env.ts reads it. */
export function setLocalEnv(services: Record<string, string>): void {
  Object.assign(process.env, {
    RELAYER_SEED: secretOf("RELAYER_SEED"),
    SERVER_PEPPER: secretOf("SERVER_PEPPER"),
    SECRETS_KEY: secretOf("SECRETS_KEY"),
    NEXTAUTH_SECRET: secretOf("NEXTAUTH_SECRET"),
    FAUCET_KEY,
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
    // Each thread loads its own circuits, so one is enough.
    PROVER_WORKERS: "1",
    ...services,
  });
  takeRunProver();
}
