const hex = (byte: string) => byte.repeat(32);

/** Key of the account that has the local chains' money. */
export const FAUCET_KEY = `0x${hex("fa")}` as const;

/** Sets `process.env` to secrets of a test file and to where its services are, before lib/env.ts reads it. */
export function setLocalEnv(services: Record<string, string>): void {
  Object.assign(process.env, {
    RELAYER_SEED: hex("aa"),
    SERVER_PEPPER: hex("bb"),
    SECRETS_KEY: hex("dd"),
    NEXTAUTH_SECRET: hex("c"),
    FAUCET_KEY,
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
    // Each thread loads circuits for itself.
    PROVER_WORKERS: "1",
    ...services,
  });
}
