/** Documents that the check skips, each with the reason. */
export const NOT_YET: Readonly<Record<string, string>> = {
  "docs/developer-rest-api.md": "the contract, whose text is given",
};

/** Folders whose comments and test names the check reads. */
export const CODE: readonly string[] = [
  "lib",
  "app",
  "components",
  "db",
  "sdk",
  "scripts",
  "test",
  "e2e",
  "bench",
  "contracts",
  "circuits",
  "server.ts",
  "instrumentation.ts",
];

/** Parts of these folders that the check skips, each with the reason. */
export const CODE_NOT_READ: Readonly<Record<string, string>> = {
  "lib/chain/abi/": "generated",
  "db/migrations/": "generated",
  "circuits/artifacts/": "generated",
  "sdk/api/resources/": "generated of the routes",
  "contracts/out/": "generated",
  "contracts/cache/": "generated",
  "scripts/words/": "quotes the phrases",
};

/** Parts whose names are not checked, each with the reason. */
export const NAMES_NOT_READ: Readonly<Record<string, string>> = {
  "lib/ledger/": "the protocol's own terms",
  "lib/events/webhooks/addresses.integration.test.ts": "answers of a DNS server are called so",
};

/** Folders whose texts people read: screens, the command line, messages. */
export const SCREENS: readonly string[] = ["app", "components", "lib", "sdk"];

/** Parts of these folders that the check skips, each with the reason. */
export const NOT_READ: Readonly<Record<string, string>> = {
  "lib/ledger/": "labels of keys and ciphertexts, which never change, and the protocol's own terms",
  "lib/chain/abi/": "generated",
  "lib/http/idempotency/begin-attempt.ts": "labels of ciphertexts, which never change",
  "lib/agents/account-secret/submit-encrypted.ts": "SQL",
  "sdk/api/resources/": "generated of the routes",
};
