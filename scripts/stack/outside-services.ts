/** The variables that replace a local database, chain or ledger with a real one. */
export const OUTSIDE_SERVICES: readonly string[] = [
  "DATABASE_URL",
  "MIGRATION_DATABASE_URL",
  "RPC_URL_46630",
  "RPC_URL_4663",
  "RPC_CHECK_URL_46630",
  "RPC_CHECK_URL_4663",
  "LEDGER_ADDRESS_46630",
  "LEDGER_ADDRESS_4663",
];

/** The variables with an installation's own address and secrets. */
export const OWN_SECRETS: readonly string[] = [
  "RELAYER_SEED",
  "RELAYER_SEED_PREVIOUS",
  "SERVER_PEPPER",
  "SERVER_PEPPER_PREVIOUS",
  "NEXTAUTH_SECRET",
  "NEXTAUTH_SECRET_PREVIOUS",
  "NEXTAUTH_URL",
  "SECRETS_KEY",
  "SECRETS_KEY_PREVIOUS",
];
